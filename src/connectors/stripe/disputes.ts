import type { Account, DisputeStatus } from '../hosted.ts'
import { fromStripe } from './amounts.ts'
import { ask, isMissing, valueOf, type StripeWay } from './client.ts'

// `warning_…` are questions of a bank before a dispute; no money moves while they are open, and none when they close.
const kinds: Readonly<Record<string, DisputeStatus['kind']>> = {
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

export async function fetchDispute(
  way: StripeWay,
  account: Account,
  disputeReference: string,
  signal: AbortSignal,
): Promise<DisputeStatus | undefined> {
  const found = await ask(way, account, signal, (stripe) => stripe.disputes.retrieve(disputeReference))
  if (isMissing(found)) return undefined
  const dispute = valueOf(found)
  const dueBy = dispute.evidence_details.due_by
  const charge = dispute.payment_intent ?? dispute.charge
  return {
    kind: kinds[dispute.status] ?? 'open',
    disputeReference: dispute.id,
    chargeReference: typeof charge === 'string' ? charge : charge.id,
    money: fromStripe(dispute.amount, dispute.currency),
    reason: dispute.reason,
    evidenceDueAt: dueBy === null ? undefined : new Date(dueBy * 1_000),
  }
}
