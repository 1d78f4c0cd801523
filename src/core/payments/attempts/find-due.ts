import type { Logger } from '../../../platform/http/log.ts'
import type { Database } from '../../../platform/database/database.ts'
import { makeRecentMerchants } from '../../../platform/jobs/lately.ts'
import { findOrRemember } from '../../../platform/jobs/visit-due.ts'
import { findMerchantsWithAttemptsToCheck, findMerchantsWithPaymentsOutOfTime } from './due-look-store.ts'

// The next merchants. While the search over all merchants fails, those with recent work.

export type FindDue = {
  /** The merchants with attempts to check, who waits longest first. */
  withAttemptsToCheck(now: Date, leaseMs: number, max: number): Promise<readonly number[]>
  /** The merchants with payments out of time, who waits longest first. */
  withPaymentsOutOfTime(now: Date, max: number): Promise<readonly number[]>
}

export function makeFindDue(db: Database, log: Logger): FindDue {
  const common = { log, lately: makeRecentMerchants(), what: 'due work' }
  return {
    withAttemptsToCheck: async (now, leaseMs, max) =>
      findOrRemember({
        ...common,
        max,
        look: async () => findMerchantsWithAttemptsToCheck(db, { now, leaseMs, max }),
      }),
    withPaymentsOutOfTime: async (now, max) =>
      findOrRemember({
        ...common,
        max,
        look: async () => findMerchantsWithPaymentsOutOfTime(db, { now, max }),
      }),
  }
}
