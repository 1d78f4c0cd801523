import type { Paying } from '../attempts/paying.ts'
import type { PaymentRow } from '../store.ts'
import { lossOf } from './loss.ts'

/** One line for the operator when more went out for a payment than came in. */
export function warnOfLoss({ log }: Pick<Paying, 'log'>, payment: PaymentRow): void {
  const loss = lossOf(payment)
  if (loss.lossMinor === 0n) return
  const { merchant_id: merchantId, number, currency } = payment
  log.warn(
    {
      merchantId,
      number,
      currency,
      lossMinor: String(loss.lossMinor),
      refundedMinor: String(loss.refundedMinor),
      takenMinor: String(loss.takenMinor),
    },
    'A payment was both refunded and taken back by the bank: it made a loss',
  )
}
