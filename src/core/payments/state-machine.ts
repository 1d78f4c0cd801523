import type { PaymentIpnEvent } from '../notifications/events.ts'

// The states of a payment and an attempt, which event leads from where to where, and the public status. Tables without
// I/O: transition.ts is the only writer, and it allows exactly what is here.

export const paymentStates = [
  'pending',
  'success',
  'failed',
  'cancelled',
  'expired',
  'refunded',
  'reversed',
] as const
export type PaymentState = (typeof paymentStates)[number]

const paidStates: readonly PaymentState[] = ['success', 'refunded', 'reversed']

/** Whether money came in, even if it went back later. */
export function wasPaid({ state }: { readonly state: PaymentState }): boolean {
  return paidStates.includes(state)
}

export const attemptStates = [
  'started',
  'action_required',
  'submitted',
  'succeeded',
  'declined',
  'abandoned',
  'unknown',
  'held',
  'surplus',
  'returned',
  'left_open',
  'not_sent',
] as const
export type AttemptState = (typeof attemptStates)[number]

type Edge<State> = {
  readonly from: readonly State[]
  readonly to: State
  readonly late?: readonly State[]
  /** Not announced: its cause is announced itself. */
  readonly untold?: true
}

export const paymentEvents = {
  /** The network has the money. After an end that was ours to decide it still counts, marked late. */
  paid: {
    from: ['pending', 'cancelled', 'expired', 'failed'],
    to: 'success',
    late: ['cancelled', 'expired', 'failed'],
  },
  attempts_used_up: { from: ['pending'], to: 'failed' },
  /** A charge of a saved method, without the customer. */
  charge_refused: { from: ['pending'], to: 'failed' },
  cancelled_by_customer: { from: ['pending'], to: 'cancelled' },
  cancelled_by_merchant: { from: ['pending'], to: 'cancelled' },
  ran_out_of_time: { from: ['pending'], to: 'expired' },
  refunded_in_full: { from: ['success'], to: 'refunded' },
  /** A successful refund failed after all. There was no new payment, so there is no second payment.success. */
  refund_came_back: { from: ['refunded'], to: 'success', untold: true },
  /** In a dispute the bank took the money, even if the customer was refunded before. */
  reversed_by_bank: { from: ['success', 'refunded'], to: 'reversed' },
  /** A dispute was won and the money is back; `dispute.won` announces it, so that nobody delivers a second time. */
  given_back_by_bank: { from: ['reversed'], to: 'success', untold: true },
  /** As before, for a payment whose money had gone back to the customer. */
  given_back_refunded: { from: ['reversed'], to: 'refunded', untold: true },
} as const satisfies Record<string, Edge<PaymentState>>
export type PaymentEvent = keyof typeof paymentEvents

export const attemptEvents = {
  /** 3-D Secure, or the network's own page: the customer has to do something there. */
  needs_action: { from: ['started'], to: 'action_required' },
  sent_on: { from: ['started', 'action_required'], to: 'submitted' },
  /** The customer agreed at a network that must be told to take the money. From here on it may have been told. */
  approved: { from: ['action_required'], to: 'submitted' },
  /** The network was told, and the money takes days. */
  money_on_its_way: { from: ['submitted'], to: 'submitted' },
  charged: { from: ['started', 'action_required', 'submitted', 'unknown'], to: 'succeeded' },
  refused: { from: ['started', 'action_required', 'submitted', 'unknown'], to: 'declined' },
  /** The network never got the order, and can't charge it any more. Never counted as a decline. */
  never_sent: { from: ['started', 'action_required', 'submitted', 'unknown'], to: 'not_sent' },
  /** Only while the network can't have the money: never from submitted or unknown. */
  given_up: { from: ['started', 'action_required'], to: 'abandoned' },
  /** The customer had left, our first call got no answer, and the network has confirmed that it closed the page. */
  closed: { from: ['unknown'], to: 'abandoned' },
  /** The customer left a page that the network can't close. It can still be paid on, and is watched for a week. */
  page_left: { from: ['started', 'action_required', 'submitted', 'unknown'], to: 'left_open' },
  no_answer: { from: ['started', 'action_required', 'submitted'], to: 'unknown' },
  /** After we gave it up, the network has the money all the same. */
  charged_late: { from: ['declined', 'abandoned', 'left_open', 'not_sent'], to: 'succeeded' },
  /** The network took another amount or currency than the payment's. Never success: a person must look. */
  charged_otherwise: { from: ['started', 'action_required', 'submitted', 'unknown'], to: 'held' },
  /** Surplus money, as another attempt paid the payment. It is returned automatically. */
  charged_again: {
    from: [
      'started',
      'action_required',
      'submitted',
      'unknown',
      'declined',
      'abandoned',
      'left_open',
      'not_sent',
    ],
    to: 'surplus',
  },
  /** Paid on a page that could not be closed, after the payment had ended. It goes back by itself. */
  charged_after_end: { from: ['left_open'], to: 'surplus' },
  /** A person decided that what was held pays for the payment, whose amount becomes what was charged. */
  accepted: { from: ['held'], to: 'succeeded' },
  /** A person decided that what was held goes back. */
  sent_back: { from: ['held'], to: 'surplus' },
  money_returned: { from: ['surplus'], to: 'returned' },
} as const satisfies Record<string, Edge<AttemptState>>
export type AttemptEvent = keyof typeof attemptEvents

/** The attempt is over and did not pay the payment. A charge can still arrive late. */
export const endedUnpaid: readonly AttemptState[] = ['declined', 'abandoned', 'left_open', 'not_sent']

export const inFlight: readonly AttemptState[] = [
  'started',
  'action_required',
  'submitted',
  'unknown',
  'held',
]

/** Where an event leads, or undefined when it must not happen in this state. */
export function nextPaymentState(state: PaymentState, event: PaymentEvent): PaymentState | undefined {
  const edge: Edge<PaymentState> = paymentEvents[event]
  return edge.from.includes(state) ? edge.to : undefined
}

export function nextAttemptState(state: AttemptState, event: AttemptEvent): AttemptState | undefined {
  const edge: Edge<AttemptState> = attemptEvents[event]
  return edge.from.includes(state) ? edge.to : undefined
}

export function isLate(from: PaymentState, event: PaymentEvent): boolean {
  const edge: Edge<PaymentState> = paymentEvents[event]
  return edge.late?.includes(from) ?? false
}

export function isUntold(event: PaymentEvent): boolean {
  const edge: Edge<PaymentState> = paymentEvents[event]
  return edge.untold ?? false
}

/** The public `status`. One word per state today; the table keeps the two apart. */
export const publicStatus: Readonly<Record<PaymentState, string>> = {
  pending: 'pending',
  success: 'success',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
  refunded: 'refunded',
  reversed: 'reversed',
}

/** The announcement when a payment enters a state; none enters pending. */
export const announcedOn: Readonly<Record<Exclude<PaymentState, 'pending'>, PaymentIpnEvent>> = {
  success: 'payment.success',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
  expired: 'payment.expired',
  refunded: 'payment.refunded',
  reversed: 'payment.reversed',
}
