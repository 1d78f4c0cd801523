import type { PaymentRow } from '../store.ts'

// What a payment knows of a dispute about it. The dispute itself belongs to its own room; this is what is shown.

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
  readonly opened_at: string
  readonly updated_at: string
}

/** As merchants see it, with the names that everything has in the API. */
export type DisputeView = Omit<StoredDispute, 'state' | 'opened_at'> & {
  readonly status: DisputeState
  readonly created_at: string
}

export function presentStored({ id, state, opened_at, updated_at, ...rest }: StoredDispute): DisputeView {
  return { id, status: state, ...rest, created_at: opened_at, updated_at }
}

export function isOpen(state: DisputeState): boolean {
  return openDisputeStates.some((open) => open === state)
}

/** A dispute is open: whoever has locked the payment knows that nothing may be refunded now. */
export function isDisputed({ dispute }: Pick<PaymentRow, 'dispute'>): boolean {
  return dispute !== null && isOpen((JSON.parse(dispute) as StoredDispute).state)
}
