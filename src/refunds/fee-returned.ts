/** What went back of a payment before, with its share of the fee: refunds that came home do not count. */
export type WentBack = { readonly amountMinor: bigint; readonly feeMinor: bigint }

/**
 * What of the payment's fee goes back with a refund: its share, rounded down over all that went back, so that the parts
 * add up to the whole fee once all of the payment is refunded. The payment's own charge stays what it was.
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
