import { isCurrency } from '../../platform/money/currencies.ts'
import { formatAmount } from '../../platform/money/money.ts'
import {
  presentStored,
  type DisputeView,
  type StoredDispute,
} from '../../core/payments/disputed/dispute-view.ts'
import type { DisputeWithLoss } from './losses.ts'
import type { DisputeRow } from './store.ts'

/** As it is stored with its payment. */
export function storedDispute(dispute: DisputeRow): StoredDispute {
  const { amount_minor, currency } = dispute
  return {
    id: dispute.id,
    state: dispute.state,
    reason: dispute.reason,
    // A network may name a currency that we do not know.
    amount: isCurrency(currency) ? formatAmount(amount_minor, currency) : `${amount_minor}`,
    amount_minor: Number(amount_minor),
    currency,
    evidence_due_at: dispute.state === 'evidence_due' ? dispute.evidence_due_at : null,
    money_taken: dispute.money_taken,
    opened_at: dispute.opened_at,
    updated_at: dispute.updated_at,
  }
}

/** As in the list. */
export function presentDispute(
  dispute: DisputeWithLoss,
): DisputeView & { tx_ref: string; mode: string; network: string } {
  const { tx_ref, mode, connector: network } = dispute
  return { ...presentStored(storedDispute(dispute), dispute.loss), tx_ref, mode, network }
}
