/** What was refunded of a payment before, with its share of the fee: bounced refunds don't count. */
export type WentBack = { readonly amountMinor: bigint; readonly feeMinor: bigint }

/**
 * How much of the payment's fee is returned with a refund: its share, rounded down over the total refunded, so that the
 * parts add up to the whole fee once the payment is fully refunded. The payment's own charge stays unchanged.
 */
export function feeReturned(
  payment: { readonly amount_minor: bigint; readonly charge_minor: bigint },
  refund: { readonly amount_minor: bigint },
  before: WentBack,
): bigint {
  const share = (payment.charge_minor * (before.amountMinor + refund.amount_minor)) / payment.amount_minor
  // After a refund came home, those that stay may have got a unit more than their own share.
  return share > before.feeMinor ? share - before.feeMinor : 0n
}
