import type { Job } from '../../../platform/jobs/job.ts'
import { makeRecentMerchants } from '../../../platform/jobs/lately.ts'
import { visitDue } from '../../../platform/jobs/visit-due.ts'
import type { Payouts } from '../payouts.ts'
import { askAccount } from './ask-account.ts'
import { findMerchantsToAsk, nextFeedCheck } from './due-look-store.ts'
import { claimDueFeeds } from './feed-store.ts'

// Asks accounts about payouts when their time has come. A claim is a lease: a worker that dies holds nothing up, and one that
// comes back after its lease may write nothing any more.

const everyMs = 5_000
const leaseMs = 45 * 60_000
const claimMax = 10

export function payoutsJob(payouts: Payouts): Job {
  const lately = makeRecentMerchants()
  const nextDue = [nextFeedCheck]
  return { name: 'payouts', everyMs, nextDue, run: async () => askDueAccounts(payouts, lately) }
}

/** One round; returns how many accounts were asked. */
export async function askDueAccounts(payouts: Payouts, lately = makeRecentMerchants()): Promise<number> {
  const { db, log } = payouts
  const now = payouts.now()
  return visitDue({
    log,
    lately,
    what: 'payouts',
    max: claimMax,
    look: async () => findMerchantsToAsk(db, { now, max: claimMax }),
    claim: async (merchantId, max) => claimDueFeeds(db, merchantId, { now, leaseMs, max }),
    work: async (feed) => askAccount(payouts, feed),
    keyOf: ({ merchant_id, account_id }) => ({ merchantId: merchant_id, account: account_id }),
    failed: 'Payouts could not be written; they are read again later',
  })
}
