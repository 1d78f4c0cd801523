import { inTransaction } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/job.ts'
import { visitEach } from '../../platform/jobs/visit-due.ts'
import { findPayments } from '../../core/payments/find-payment.ts'
import type { PaymentState } from '../../core/payments/state-machine.ts'
import { findMerchantsWithLinksToLookAt, nextLookAtLinks } from './due-look-store.ts'
import type { Linking } from './linking.ts'
import {
  lockOpen,
  recordLooks,
  type Looked,
  type LinkPaymentRow,
  type LinkPaymentState,
  type OpenFilter,
} from './link-payment-store.ts'
import { addResults, findLink, type LinkResults } from './store.ts'

// Whether payments of links have ended: paid ones are added up, and the place of an unpaid one is free again. Payments
// don't know about links, so they are checked: soon after they began, then less and less often. A customer who wants
// the last place, or opens a link, triggers a check at once.

const everyMs = 5_000
const batchMax = 200
const merchantsMax = 50
const firstLookMs = 15_000
const longestPauseMs = 30 * 60_000
/** A place is written before its payment. One without a payment after this time belongs to a server that died. */
const madeWithinMs = 10 * 60_000

export function linksJob(linking: Linking): Job {
  return { name: 'links', everyMs, nextDue: [nextLookAtLinks], run: async () => settleDue(linking) }
}

/** One round; returns how many payments were looked at. */
export async function settleDue(linking: Linking): Promise<number> {
  const { db, log } = linking
  const now = linking.now()
  return visitEach({
    log,
    what: 'payments of links',
    max: merchantsMax,
    look: async () => findMerchantsWithLinksToLookAt(db, { now, max: merchantsMax }),
    visit: async (merchantId) => settle(linking, merchantId, { dueBy: now, max: batchMax }),
    failed: 'Could not check payments of links; will retry',
  })
}

/** All that is open of one link, due or not. */
export async function settleLink(linking: Linking, merchantId: number, linkId: string): Promise<number> {
  return settle(linking, merchantId, { linkId, max: batchMax })
}

export function firstLook(now: Date): Date {
  return new Date(now.getTime() + firstLookMs)
}

async function settle({ db, now: clock }: Linking, merchantId: number, filter: OpenFilter): Promise<number> {
  return inTransaction(db, async (tx) => {
    const now = clock()
    const open = await lockOpen(tx, merchantId, filter)
    const byLink = Map.groupBy(open, ({ link_id }) => link_id)
    const looks: Looked[] = []
    // In one order, so that two who add up results of the same links wait for each other and never both.
    // No test: no two links of a merchant have one id
    for (const [linkId, rows] of [...byLink].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      const mode = (await findLink(tx, merchantId, linkId))?.mode ?? 'test'
      const txRefs = rows.map(({ tx_ref }) => tx_ref)
      const payments = await findPayments(tx, merchantId, mode, txRefs)
      const seen = rows
        .map((row) => ({ row, payment: payments.get(row.tx_ref) }))
        .map(({ row, payment }) => ({
          looked: look(row, payment?.state, now),
          minor: payment?.amount_minor ?? 0n,
        }))
      looks.push(...seen.map(({ looked }) => looked))
      const results = resultsOf(seen)
      if (results.over + results.paid > 0) await addResults(tx, merchantId, linkId, results)
    }
    if (looks.length > 0) await recordLooks(tx, merchantId, looks)
    return open.length
  })
}

function look(row: LinkPaymentRow, state: PaymentState | undefined, now: Date): Looked {
  const age = now.getTime() - Date.parse(row.created_at)
  const pause = Math.min(longestPauseMs, Math.max(firstLookMs, age / 2))
  const isLost = state === undefined && age > madeWithinMs
  return {
    link_id: row.link_id,
    tx_ref: row.tx_ref,
    state: isLost ? 'over' : state === undefined ? 'open' : meanings[state],
    look_at: new Date(now.getTime() + pause),
  }
}

/** A paid place stays taken, even if the money is refunded: the merchant decides whether to sell it again. */
const meanings: Readonly<Record<PaymentState, LinkPaymentState>> = {
  pending: 'open',
  success: 'paid',
  refunded: 'paid',
  reversed: 'paid',
  failed: 'over',
  cancelled: 'over',
  expired: 'over',
}

function resultsOf(seen: readonly { looked: Looked; minor: bigint }[]): LinkResults {
  const paid = seen.filter(({ looked }) => looked.state === 'paid')
  return {
    over: seen.filter(({ looked }) => looked.state === 'over').length,
    paid: paid.length,
    paidMinor: paid.reduce((sum, { minor }) => sum + minor, 0n),
  }
}
