/** What merchants are told of, as `event` in a notification. */
export const ipnEvents = [
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

export type IpnEvent = (typeof ipnEvents)[number]
