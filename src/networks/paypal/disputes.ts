import type { Account, DisputeStatus } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'
import { fromPayPal } from './amounts.ts'
import { ask, bodyOf, listIn, mustHave, name, type PayPalWay } from './client.ts'
import { readCustomId } from './custom-id.ts'
import type { Dispute, Link } from './resources.ts'

// PayPal holds the money while a dispute is open, and moves it when it decides. What it holds is still the merchant's.

const outcomes: Readonly<Record<string, 'won' | 'lost'>> = {
  RESOLVED_BUYER_FAVOUR: 'lost',
  ACCEPTED: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  // PayPal paid the customer itself.
  RESOLVED_WITH_PAYOUT: 'won',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
}

/** In the words that disputes are explained with elsewhere; others stay PayPal's own. */
const reasons: Readonly<Record<string, string>> = {
  MERCHANDISE_OR_SERVICE_NOT_RECEIVED: 'product_not_received',
  MERCHANDISE_OR_SERVICE_NOT_AS_DESCRIBED: 'product_unacceptable',
  UNAUTHORISED: 'fraudulent',
  CREDIT_NOT_PROCESSED: 'credit_not_processed',
  DUPLICATE_TRANSACTION: 'duplicate',
  CANCELED_RECURRING_BILLING: 'subscription_canceled',
}

export async function fetchDispute(
  way: PayPalWay,
  account: Account,
  disputeReference: string,
  signal: AbortSignal,
): Promise<DisputeStatus | undefined> {
  const path = `/v1/customer/disputes/${encodeURIComponent(disputeReference)}`
  const body = bodyOf(await ask(way, account, { path }, signal))
  if (!body) return undefined
  const dispute = mustHave<Dispute>(body, 'dispute_id', 'status')
  const disputed = dispute.disputed_transactions?.[0]
  if (disputed?.seller_transaction_id === undefined)
    throw new NoAnswer(name, `the dispute ${dispute.dispute_id} names no transaction`)
  const { seller_response_due_date: due, reason = 'other' } = dispute
  return {
    kind: kindOf(dispute),
    moneyTaken: isTaken(dispute),
    disputeReference: dispute.dispute_id,
    chargeReference: disputed.seller_transaction_id,
    money: fromPayPal(dispute.dispute_amount),
    reason: reasons[reason] ?? reason.toLowerCase(),
    evidenceDueAt: due === undefined ? undefined : new Date(due),
    order: readCustomId(disputed.custom),
  }
}

function kindOf(dispute: Dispute): DisputeStatus['kind'] {
  if (dispute.status === 'WAITING_FOR_SELLER_RESPONSE') return 'evidence_due'
  if (dispute.status !== 'RESOLVED') return 'under_review'
  return outcomes[dispute.dispute_outcome?.outcome_code ?? ''] ?? (isTaken(dispute) ? 'lost' : 'won')
}

/** More was taken from the seller than given back. If PayPal doesn't say, the money of a lost dispute is gone. */
function isTaken(dispute: Dispute): boolean {
  const { fund_movements = [], money_movements = [], status, dispute_outcome } = dispute
  const ours = [
    ...fund_movements.filter(({ party }) => party === 'SELLER'),
    ...money_movements.filter(({ affected_party }) => affected_party === 'SELLER'),
  ].filter(({ reason = '' }) => !fees.has(reason))
  const isLost = status === 'RESOLVED' && outcomes[dispute_outcome?.outcome_code ?? ''] === 'lost'
  if (ours.length === 0) return isLost
  const signs: Readonly<Record<string, number>> = { DEBIT: 1, CREDIT: -1 }
  return ours.reduce((sum, { type = '' }) => sum + (signs[type] ?? 0), 0) > 0
}

/** Taken for the dispute itself, also from a seller who wins it. */
const fees = new Set(['DISPUTE_FEE', 'DISPUTE_SETTLEMENT_FEE', 'CHARGEBACK_FEE'])

const pageSize = 50
/** PayPal lists no older ones. */
const furthestMs = 179 * 24 * 3_600_000

/** The newest first, page by page to the very end. */
export async function* disputesSince(
  way: PayPalWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<string> {
  const start = new Date(Math.max(since.getTime(), way.now().getTime() - furthestMs))
  const query = { start_time: start.toISOString(), page_size: String(pageSize) }
  let token: string | null = null
  do {
    const page = new URLSearchParams({ ...query, ...(token !== null && { next_page_token: token }) })
    const body = bodyOf(await ask(way, account, { path: `/v1/customer/disputes?${page.toString()}` }, signal))
    for (const { dispute_id } of listIn(body, 'items')) yield dispute_id
    const next = nextOf(listIn({ links: body?.['links'] ?? [] }, 'links'))
    if (next !== null && next === token) throw new NoAnswer(name, 'its list of disputes repeats a page')
    token = next
  } while (token !== null)
}

function nextOf(links: readonly Link[]): string | null {
  const href = links.find(({ rel }) => rel === 'next')?.href
  return href === undefined ? null : new URL(href).searchParams.get('next_page_token')
}
