import { isOpen, type DisputeState } from '../../core/payments/disputed/dispute-view.ts'

// What can happen to a dispute. We ask a network for the current state, so every answer is a state; an old answer, or a
// network that contradicts itself, must not be followed.

type Move = { readonly from: readonly DisputeState[]; readonly to: DisputeState }

export const disputeMoves = {
  evidence_sent: { from: ['evidence_due'], to: 'under_review' },
  evidence_asked: { from: ['under_review'], to: 'evidence_due' },
  /** Also by an appeal. While that runs the dispute stays lost: so is the money. */
  decided_for_merchant: { from: ['evidence_due', 'under_review', 'lost'], to: 'won' },
  decided_for_customer: { from: ['evidence_due', 'under_review'], to: 'lost' },
} as const satisfies Record<string, Move>

export function mayFollow(before: DisputeState, after: DisputeState): boolean {
  const moves: readonly Move[] = Object.values(disputeMoves)
  return before === after || moves.some(({ from, to }) => to === after && from.includes(before))
}

export type DisputeEvent = 'dispute.opened' | 'dispute.won' | 'dispute.lost'

/** The announcement when a dispute moves from one state to another, or is new. */
export function eventOf(before: DisputeState | undefined, after: DisputeState): DisputeEvent | undefined {
  if (before === after) return undefined
  if (!isOpen(after)) return after === 'won' ? 'dispute.won' : 'dispute.lost'
  return before === undefined ? 'dispute.opened' : undefined
}
