import { formatAmount } from '../../../platform/money/money.ts'
import type { PaymentRow } from '../store.ts'
import type { Loss } from './loss.ts'

// What a payment shows of a dispute. The dispute itself belongs to disputes/.

export const openDisputeStates = ['evidence_due', 'under_review'] as const
export const disputeStates = [...openDisputeStates, 'won', 'lost'] as const
export type DisputeState = (typeof disputeStates)[number]

/** As it is stored with its payment. Merchants see a DisputeView: the stored names stay, for rows that were written before. */
export type StoredDispute = {
  readonly id: string
  readonly state: DisputeState
  readonly reason: string
  readonly amount: string
  readonly amount_minor: number
  readonly currency: string
  readonly evidence_due_at: string | null
  readonly money_taken: boolean
  /** By all disputes of the payment together, in its currency. Rows of earlier versions don't have it. */
  readonly taken_minor?: number
  readonly opened_at: string
  readonly updated_at: string
}

/** As merchants see it, with the names that everything has in the API. */
export type DisputeView = Omit<StoredDispute, 'state' | 'opened_at' | 'taken_minor'> & {
  readonly status: DisputeState
  readonly loss: string
  readonly loss_minor: number
  readonly created_at: string
}

export function presentStored(stored: StoredDispute, { lossMinor, currency }: Loss): DisputeView {
  return {
    id: stored.id,
    status: stored.state,
    reason: stored.reason,
    amount: stored.amount,
    amount_minor: stored.amount_minor,
    currency: stored.currency,
    evidence_due_at: stored.evidence_due_at,
    money_taken: stored.money_taken,
    loss: formatAmount(lossMinor, currency),
    loss_minor: Number(lossMinor),
    created_at: stored.opened_at,
    updated_at: stored.updated_at,
  }
}

export function isOpen(state: DisputeState): boolean {
  return openDisputeStates.some((open) => open === state)
}

/** A dispute is open: with the payment locked, nothing may be refunded now. */
export function isDisputed({ dispute }: Pick<PaymentRow, 'dispute'>): boolean {
  return dispute !== null && isOpen((JSON.parse(dispute) as StoredDispute).state)
}
