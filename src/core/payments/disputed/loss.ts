import { displayAmount } from '../../../platform/money/money.ts'
import type { PaymentRow } from '../store.ts'

// A network may let a bank take money that was refunded before. Then more goes out for a payment than came in. The loss is
// worked out from what is stored, so a refund that succeeds or comes back later changes it without another write.

export type PaidBack = Pick<PaymentRow, 'amount_minor' | 'refunded_minor' | 'currency' | 'dispute'>

/** The part of a dispute needed here. */
type TakenMoney = {
  readonly money_taken: boolean
  readonly currency: string
  readonly amount_minor: bigint | number
}

export type Loss = {
  /** Zero when no more went out than came in. */
  readonly lossMinor: bigint
  readonly refundedMinor: bigint
  /** By all disputes of the payment together. */
  readonly takenMinor: bigint
  /** The payment's. */
  readonly currency: string
}

export function lossOf(payment: PaidBack): Loss {
  const { refunded_minor: refundedMinor, currency } = payment
  const takenMinor = takenFrom(payment)
  const overMinor = refundedMinor + takenMinor - payment.amount_minor
  return { lossMinor: overMinor > 0n ? overMinor : 0n, refundedMinor, takenMinor, currency }
}

function takenFrom({ dispute, currency }: PaidBack): bigint {
  if (dispute === null) return 0n
  const stored = JSON.parse(dispute) as TakenMoney & { readonly taken_minor?: number }
  return stored.taken_minor === undefined ? sumTaken([stored], currency) : BigInt(stored.taken_minor)
}

/** The part of a payment that the bank holds now: all of it where the disputes are in another currency, which we can't convert. */
export function takenByBank(payment: PaidBack & Pick<PaymentRow, 'state'>): bigint {
  if (payment.state !== 'reversed') return 0n
  const takenMinor = takenFrom(payment)
  return takenMinor === 0n ? payment.amount_minor : takenMinor
}

/** Disputes in another currency than the payment's are left out: we can't convert them. */
export function sumTaken(disputes: readonly TakenMoney[], currency: string): bigint {
  return disputes
    .filter((one) => one.money_taken && one.currency === currency)
    .reduce((sum, { amount_minor }) => sum + BigInt(amount_minor), 0n)
}

/** For people; undefined when there is no loss. */
export function describeLoss({ lossMinor, refundedMinor, takenMinor, currency }: Loss): string | undefined {
  if (lossMinor === 0n) return undefined
  const format = (minor: bigint): string => displayAmount(minor, currency, 'en-GB')
  const refunded = refundedMinor === 0n ? 'nothing' : format(refundedMinor)
  return `This payment made a loss of ${format(lossMinor)}: you refunded ${refunded}, and the bank also took ${format(takenMinor)}.`
}
