import type { Account, DisputeStatus } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import { fromStripe } from './amounts.ts'
import { ask, isMissing, list, valueOf, type StripeWay } from './client.ts'

// `warning_…` are questions of a bank before a dispute; no money moves while they are open, and none when they close.
// Stripe takes the money when a dispute is opened, and books it back when it is won.
const kinds: Readonly<Record<string, DisputeStatus['kind']>> = {
  needs_response: 'evidence_due',
  warning_needs_response: 'evidence_due',
  appeal_needs_response: 'evidence_due',
  won: 'won',
  warning_closed: 'won',
  lost: 'lost',
}

/**
 * `prevented`: either it was blocked, or the customer got the money back at once, for good. Only the balance
 * transactions show which.
 */
function kindOf(status: string, moneyTaken: boolean): DisputeStatus['kind'] {
  if (status === 'prevented') return moneyTaken ? 'lost' : 'won'
  return kinds[status] ?? 'under_review'
}

export async function fetchDispute(
  way: StripeWay,
  account: Account,
  disputeReference: string,
  signal: AbortSignal,
): Promise<DisputeStatus | undefined> {
  // A dispute has nothing of ours on it. With its payment intent it says whose it is.
  const params = { expand: ['payment_intent'] }
  const found = await ask(way, account, signal, (stripe) =>
    stripe.disputes.retrieve(disputeReference, params),
  )
  if (isMissing(found)) return undefined
  const dispute = valueOf(found)
  const dueBy = dispute.evidence_details.due_by
  const charge = dispute.payment_intent ?? dispute.charge
  const moneyTaken = isTaken(dispute.balance_transactions, dispute.status)
  return {
    kind: kindOf(dispute.status, moneyTaken),
    moneyTaken,
    disputeReference: dispute.id,
    chargeReference: typeof charge === 'string' ? charge : charge.id,
    money: fromStripe(dispute.amount, dispute.currency),
    reason: dispute.reason,
    evidenceDueAt: dueBy === null ? undefined : new Date(dueBy * 1_000),
    order: typeof charge === 'string' ? undefined : readMetadata(charge.metadata),
  }
}

type Booking = { readonly amount: number }

/** More was booked out than in again. The rate of a currency may have changed in between, so amounts say nothing. */
function isTaken(bookings: readonly Booking[] | undefined, status: string): boolean {
  if (!bookings || bookings.length === 0) return status === 'lost'
  const signs = bookings.map(({ amount }) => Math.sign(amount))
  return signs.reduce((sum, sign) => sum + sign, 0) < 0
}

/** The newest first, all of them. */
export async function* disputesSince(
  way: StripeWay,
  account: Account,
  since: Date,
  signal: AbortSignal,
): AsyncIterable<string> {
  const created = { gte: Math.floor(since.getTime() / 1_000) }
  const disputes = list(way, account, signal, async (stripe, page) =>
    stripe.disputes.list({ created, ...page }),
  )
  for await (const { id } of disputes) yield id
}
