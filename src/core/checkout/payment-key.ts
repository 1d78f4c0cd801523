import { readDigits, type PaymentKey } from '../payments/checkout-view.ts'

/** For digits that are known to be a payment's, by its token or because it was found: any others are a bug. */
export function paymentKeyFromDigits(digits: string): PaymentKey {
  const key = readDigits(digits)
  if (!key) throw new Error('A payment was opened by a number that is none')
  return key
}
