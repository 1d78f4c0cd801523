// Our words for money, and what they add up to: pages, files, e-mails and totals take both from here (docs/glossary.md).

export type MoneySums = {
  /** What customers paid. */
  readonly grossMinor: bigint
  /** What was paid back. */
  readonly refundsMinor: bigint
  /** What banks took, less what they gave back. */
  readonly disputesMinor: bigint
  /** What networks charged: fees, the tax on them and dispute fees. */
  readonly networkFeesMinor: bigint
}

export const moneyWords = {
  gross: 'Gross',
  refunds: 'Refunds',
  disputes: 'Disputes',
  networkFees: 'Network fees',
  net: 'Net',
  /** The operator's plan, `charge` in the API. Never part of net. */
  platformFee: 'Platform fee',
} as const

export function netOf({ grossMinor, refundsMinor, disputesMinor, networkFeesMinor }: MoneySums): bigint {
  return grossMinor - refundsMinor - disputesMinor - networkFeesMinor
}
