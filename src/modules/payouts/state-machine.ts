import type { ReportedPayout } from '../../core/networks/payout-reports.ts'

// What can happen to a payout. Networks report its state; an older report must not be followed.

export const payoutStates = ['announced', 'on_its_way', 'arrived', 'failed', 'returned'] as const
export type PayoutState = (typeof payoutStates)[number]

type Move = { readonly from: readonly PayoutState[]; readonly to: PayoutState }

export const payoutMoves = {
  sent: { from: ['announced'], to: 'on_its_way' },
  credited: { from: ['announced', 'on_its_way'], to: 'arrived' },
  refused_by_bank: { from: ['announced', 'on_its_way'], to: 'failed' },
  /** Days later: the bank had credited it, and sent it back. */
  sent_back: { from: ['arrived'], to: 'returned' },
  /** Some networks try a payout again that failed. */
  sent_again: { from: ['failed', 'returned'], to: 'on_its_way' },
  credited_after_all: { from: ['failed', 'returned'], to: 'arrived' },
} as const satisfies Record<string, Move>

/** The state that a report leads to; undefined when it is old, or contradicts what was reported before. */
export function nextState(
  before: PayoutState | undefined,
  reported: ReportedPayout['status'],
): PayoutState | undefined {
  if (before === undefined) return reported
  const isBack = before === 'arrived' || before === 'returned'
  const after: PayoutState = reported === 'failed' && isBack ? 'returned' : reported
  const moves: readonly Move[] = Object.values(payoutMoves)
  const isAllowed = before === after || moves.some(({ from, to }) => to === after && from.includes(before))
  return isAllowed ? after : undefined
}

/** What merchants are notified of. */
export const payoutIpnEvents = ['payout.arrived', 'payout.failed'] as const
export type PayoutEvent = (typeof payoutIpnEvents)[number]

/** The announcement when a payout enters a state. */
export function eventOf(before: PayoutState | undefined, after: PayoutState): PayoutEvent | undefined {
  if (before === after) return undefined
  if (after === 'arrived') return 'payout.arrived'
  return after === 'failed' || after === 'returned' ? 'payout.failed' : undefined
}

/** Which account of the ledger holds the money of a payout. */
export type Holder = 'held' | 'on_its_way' | 'arrived'

export function holderOf(state: PayoutState | undefined): Holder {
  if (state === 'announced' || state === 'on_its_way') return 'on_its_way'
  return state === 'arrived' ? 'arrived' : 'held'
}
