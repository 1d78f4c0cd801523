import type { RefundRow } from './store.ts'

/**
 * What of the payment's fee goes back with a refund: its share, rounded down over all that went back, so that the parts
 * add up to the whole fee once all of the payment is refunded. The payment's own charge stays what it was.
 */
export function feeReturned(
  payment: { readonly amount_minor: bigint; readonly charge_minor: bigint; readonly refunded_minor: bigint },
  refund: Pick<RefundRow, 'amount_minor' | 'returns_fee'>,
): bigint {
  if (!refund.returns_fee) return 0n
  const { amount_minor, charge_minor, refunded_minor } = payment
  const shareOf = (minor: bigint): bigint => (charge_minor * minor) / amount_minor
  return shareOf(refunded_minor + refund.amount_minor) - shareOf(refunded_minor)
}
