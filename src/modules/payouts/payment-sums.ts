import type { MoneySums } from '../../platform/money/money-words.ts'
import { takenByBank } from '../../core/payments/disputed/loss.ts'
import { wasPaid } from '../../core/payments/state-machine.ts'
import type { PaymentRow } from '../../core/payments/find-payment.ts'
import type { PayoutLine } from './payout.ts'

// One payment in our words for money: what moved by our own records, and what its network charged by its bookings.

export type PaymentSums = MoneySums & {
  readonly currency: string
  /** In `networkFeesMinor`. */
  readonly feeTaxMinor: bigint
  /** Fees booked in other currencies, which can't be subtracted. */
  readonly otherFees: ReadonlyMap<string, bigint>
  /** Whether its network has booked it; fees are not known before. */
  readonly isReported: boolean
}

export type Booked = Pick<PayoutLine, 'kind' | 'currency' | 'fee_minor' | 'tax_minor'>

type Paid = Pick<PaymentRow, 'state' | 'currency' | 'amount_minor' | 'refunded_minor' | 'dispute'>

export function sumsOfPayment(payment: Paid, lines: readonly Booked[]): PaymentSums {
  return {
    currency: payment.currency,
    grossMinor: wasPaid(payment) ? payment.amount_minor : 0n,
    refundsMinor: payment.refunded_minor,
    disputesMinor: takenByBank(payment),
    ...feesOf(lines, payment.currency),
    isReported: lines.some(({ kind }) => kind === 'payment'),
  }
}

export function feesOf(
  lines: readonly Booked[],
  currency: string,
): Pick<PaymentSums, 'networkFeesMinor' | 'feeTaxMinor' | 'otherFees'> {
  let [networkFeesMinor, feeTaxMinor] = [0n, 0n]
  const otherFees = new Map<string, bigint>()
  for (const line of lines) {
    const fee = line.fee_minor + line.tax_minor
    if (line.currency === currency) {
      networkFeesMinor += fee
      feeTaxMinor += line.tax_minor
    } else if (fee !== 0n) otherFees.set(line.currency, (otherFees.get(line.currency) ?? 0n) + fee)
  }
  return { networkFeesMinor, feeTaxMinor, otherFees }
}
