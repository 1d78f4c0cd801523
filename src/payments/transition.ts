import type { Transaction } from '../database/database.ts'
import { announce, type Customer } from '../notifications/announce.ts'
import { transactionJson } from './present.ts'
import { announcedOn, isLate, nextPaymentState, type PaymentEvent } from './state-machine.ts'
import { lockPayment, moveState, type PaymentKey, type PaymentRow } from './store.ts'

// The only writer of a payment's state. State, history and notifications share the caller's commit.

export type Moved =
  | { readonly moved: true; readonly payment: PaymentRow }
  /** The event must not happen in the state that the payment is in; nothing was written. */
  | { readonly moved: false; readonly payment: PaymentRow | undefined }

export async function transition(
  tx: Transaction,
  key: PaymentKey,
  event: PaymentEvent,
  baseUrl: string,
): Promise<Moved> {
  const before = await lockPayment(tx, key)
  const to = before && nextPaymentState(before.state, event)
  if (!before || !to) return { moved: false, payment: before }

  const late = isLate(before.state, event)
  const payment = await moveState(tx, key, { from: before.state, to, event, late })
  if (!payment) throw new Error(`A locked payment changed its state: ${before.state} before ${event}`)
  if (to !== 'pending') {
    await announce(tx, {
      merchantId: payment.merchant_id,
      number: payment.number,
      mode: payment.mode,
      event: announcedOn[to],
      callbackUrl: payment.callback_url,
      transactionJson: transactionJson(payment, baseUrl),
      customer: customerOf(payment),
    })
  }
  return { moved: true, payment }
}

function customerOf(payment: PaymentRow): Customer {
  return {
    email: payment.email,
    firstName: payment.first_name,
    language: payment.language,
    amountMinor: payment.amount_minor,
    refundedMinor: payment.refunded_minor,
    currency: payment.currency,
    reference: payment.reference,
    txRef: payment.tx_ref,
  }
}
