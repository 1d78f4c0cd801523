import type { Logger } from '../../http/log.ts'
import type { Database } from '../../database/database.ts'
import { makeLately } from '../../merchants/lately.ts'
import { findMerchantsWithAttemptsToCheck, findMerchantsWithPaymentsOutOfTime } from './due-look-store.ts'

// Whose turn it is. While a look over all merchants fails, it is that of the merchants that had work lately.

export type FindDue = {
  /** The merchants with attempts to check, who waits longest first. */
  withAttemptsToCheck(now: Date, leaseMs: number, max: number): Promise<readonly number[]>
  /** The merchants with payments out of time, who waits longest first. */
  withPaymentsOutOfTime(now: Date, max: number): Promise<readonly number[]>
}

export function makeFindDue(db: Database, log: Logger): FindDue {
  const lately = makeLately()

  async function findOrRemember(
    look: () => Promise<readonly number[]>,
    max: number,
  ): Promise<readonly number[]> {
    let found: readonly number[]
    try {
      found = await look()
    } catch (error) {
      found = lately.list().slice(0, max)
      if (found.length === 0) throw error
      log.warn({ err: error }, 'A look for due work failed; merchants that had some lately are visited')
    }
    lately.remember(...found)
    return found
  }

  return {
    withAttemptsToCheck: async (now, leaseMs, max) =>
      findOrRemember(async () => findMerchantsWithAttemptsToCheck(db, { now, leaseMs, max }), max),
    withPaymentsOutOfTime: async (now, max) =>
      findOrRemember(async () => findMerchantsWithPaymentsOutOfTime(db, { now, max }), max),
  }
}
