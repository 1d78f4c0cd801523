import type { Money } from '../../core/networks/hosted.ts'

/** In pence and cents, as ours. */
export function moneyOf({ amount, currency }: { amount: number; currency: string }): Money {
  if (!Number.isSafeInteger(amount)) throw new RangeError(`GoCardless said ${amount} ${currency}`)
  return { amountMinor: BigInt(amount), currency }
}
