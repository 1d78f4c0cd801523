import type { Mode } from '../merchants/mode.ts'

/** An event that merchants receive, as `event` in a notification. Modules hand in theirs. */
export type NotificationEvent = {
  readonly name: string
  /** The payload of a test call, about nothing real. */
  readonly sample: (mode: Mode) => string
  /** False: `florin trigger` can't bring it about, as it takes a day or a saved method. */
  readonly isTriggered?: boolean
}

/** The core's own: of a payment, and of a dispute that takes its money. */
export const paymentIpnEvents = [
  'payment.success',
  'payment.failed',
  'payment.cancelled',
  'payment.expired',
  'payment.refunded',
  'payment.reversed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
] as const
export type PaymentIpnEvent = (typeof paymentIpnEvents)[number]

/** For calls that name none. */
export const defaultEvent = 'payment.success' satisfies PaymentIpnEvent

export function namesOf(events: readonly NotificationEvent[]): readonly string[] {
  return events.map(({ name }) => name)
}
