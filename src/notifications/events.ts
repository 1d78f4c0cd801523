/** What merchants are told of, as `event` in a notification: of a payment, and of a refund. */
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

export const refundIpnEvents = ['refund.success', 'refund.failed'] as const
export type RefundIpnEvent = (typeof refundIpnEvents)[number]

export const ipnEvents = [...paymentIpnEvents, ...refundIpnEvents] as const
export type IpnEvent = (typeof ipnEvents)[number]
