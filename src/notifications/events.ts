/** The events that merchants receive, as `event` in a notification: of a payment, a refund, a payout or a saved method. */
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

export const payoutIpnEvents = ['payout.arrived', 'payout.failed'] as const
export type PayoutIpnEvent = (typeof payoutIpnEvents)[number]

export const methodIpnEvents = ['method.saved', 'method.ended', 'payment.needs_customer'] as const
export type MethodIpnEvent = (typeof methodIpnEvents)[number]

export const ipnEvents = [
  ...paymentIpnEvents,
  ...refundIpnEvents,
  ...payoutIpnEvents,
  ...methodIpnEvents,
] as const
export type IpnEvent = (typeof ipnEvents)[number]
