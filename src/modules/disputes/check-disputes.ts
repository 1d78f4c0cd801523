import type { Job } from '../../platform/jobs/job.ts'
import { makeRecentMerchants } from '../../platform/jobs/lately.ts'
import { visitDue } from '../../platform/jobs/visit-due.ts'
import type { Paying } from '../../core/payments/attempts/paying.ts'
import { accountOfForm } from './ask-network.ts'
import { findMerchantsWithDisputesToCheck, nextDisputeCheck } from './due-look-store.ts'
import { askAgain, checkReportedDispute } from './check-reported-dispute.ts'
import { claimToCheck } from './store.ts'

// Asks about disputes by itself, so that a lost callback does no harm. A claim is a lease: a worker that dies holds nothing
// up, and two that meet do no harm, as an older answer never counts.

const everyMs = 1_000
/** After a network that did not answer, too. */
const leaseMs = 10 * 60_000
const claimMax = 20

export function disputesJob(paying: Paying): Job {
  const lately = makeRecentMerchants()
  const news = paying.connectors.flatMap((network) =>
    network.kind === 'form' && network.nextNewsOfDisputes ? [network.nextNewsOfDisputes] : [],
  )
  const nextDue = [nextDisputeCheck, ...news]
  return { name: 'disputes', everyMs, nextDue, run: async () => checkDisputes(paying, lately) }
}

/** One round; returns how many disputes were asked about. */
export async function checkDisputes(paying: Paying, lately = makeRecentMerchants()): Promise<number> {
  const told = await checkNews(paying)
  const { db, log } = paying
  const now = paying.now()
  const asked = await visitDue({
    log,
    lately,
    what: 'disputes',
    max: claimMax,
    look: async () => findMerchantsWithDisputesToCheck(db, { now, max: claimMax }),
    claim: async (merchantId, max) => claimToCheck(db, merchantId, { now, leaseMs, max }),
    work: async (dispute) => askAgain(paying, dispute),
    keyOf: ({ merchant_id }) => ({ merchantId: merchant_id }),
    failed: notAsked,
  })
  return told + asked
}

const notAsked = 'Could not check a dispute; will retry'

/** For networks that run in this process and send no callbacks. */
async function checkNews(paying: Paying): Promise<number> {
  let count = 0
  for (const network of paying.connectors) {
    if (network.kind !== 'form' || !network.newsOfDisputes) continue
    const { name: connector } = network
    const news = await network.newsOfDisputes(claimMax).catch((error: unknown) => {
      // Known disputes must not wait for new ones.
      paying.log.warn({ err: error, connector }, 'A network did not answer the check for new disputes')
      return []
    })
    for (const { merchantId, disputeReference: reference } of news) {
      const asked = { merchantId, connector, accountId: accountOfForm(connector), reference }
      await checkReportedDispute(paying, asked).catch((error: unknown) =>
        paying.log.error({ err: error, merchantId }, notAsked),
      )
      count += 1
    }
  }
  return count
}
