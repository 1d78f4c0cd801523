import type { Logger } from '../../http/log.ts'
import type { Database } from '../../database/database.ts'
import { findMerchantsWithAttemptsToCheck, findMerchantsWithPaymentsOutOfTime } from './due-look-store.ts'

// A look for due work asks all nodes of a cluster, and fails while one of them is away. Then the merchants that had work
// lately are visited: those on the other nodes must not wait for a node that is not theirs.

export type FindDue = {
  /** The merchants with attempts to check, who waits longest first. */
  withAttemptsToCheck(now: Date, leaseMs: number, max: number): Promise<readonly number[]>
  /** The merchants with payments out of time, who waits longest first. */
  withPaymentsOutOfTime(now: Date, max: number): Promise<readonly number[]>
}

const rememberedMax = 1_000

export function makeFindDue(db: Database, log: Logger): FindDue {
  const lately = new Set<number>()

  async function findOrRemember(
    look: () => Promise<readonly number[]>,
    max: number,
  ): Promise<readonly number[]> {
    let found: readonly number[]
    try {
      found = await look()
    } catch (error) {
      if (lately.size === 0) throw error
      log.warn({ err: error }, 'A look for due work failed; merchants that had some lately are visited')
      found = [...lately].slice(0, max)
    }
    // To the end: who was visited last is forgotten last, and visited last by a look from memory.
    for (const merchantId of found) {
      lately.delete(merchantId)
      lately.add(merchantId)
    }
    for (const merchantId of lately) {
      if (lately.size <= rememberedMax) break
      lately.delete(merchantId)
    }
    return found
  }

  return {
    withAttemptsToCheck: async (now, leaseMs, max) =>
      findOrRemember(async () => findMerchantsWithAttemptsToCheck(db, { now, leaseMs, max }), max),
    withPaymentsOutOfTime: async (now, max) =>
      findOrRemember(async () => findMerchantsWithPaymentsOutOfTime(db, { now, max }), max),
  }
}
