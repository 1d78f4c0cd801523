import { Refusal, type RefusalCode } from '../../platform/errors/refusals.ts'
import { findPaymentByNumber, type PaymentRow } from '../../core/payments/find-payment.ts'
import type { Answer, Content, MemberAsk } from '../ask.ts'
import { show } from '../define-route.ts'
import { mistakesOf, type Mistakes } from '../parts/parts.ts'

// Finds the payment of a page, and shows refusals on the form.

/** By number only: a tx_ref can look like another payment's number and must not open its page. */
export async function paymentOf({ core, params, place }: MemberAsk): Promise<PaymentRow> {
  const key = { merchantId: place.merchant.id, number: params['number'] ?? '' }
  return findPaymentByNumber(core.db, key, place.mode)
}

export function keyOf(payment: PaymentRow): { readonly merchantId: number; readonly number: string } {
  return { merchantId: payment.merchant_id, number: payment.number }
}

/** Refusals that appear on the form, like mistakes. */
const shownOnPage: readonly RefusalCode[] = [
  'validation_failed',
  'not_cancellable',
  'not_refundable',
  'more_than_left',
  'refund_ref_taken',
  'tx_ref_taken',
  'method_ended',
  'retry_too_early',
  'charge_limit',
  'charges_stopped',
  'live_not_enabled',
  'merchant_suspended',
]

export async function orSayWhyNot(
  work: () => Promise<Answer>,
  draw: (mistakes: Mistakes) => Promise<Content>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || !shownOnPage.includes(error.code)) throw error
    const mistakes = error.errors ? mistakesOf(error.errors) : { form: error.message }
    return show(await draw(mistakes), error.status)
  }
}
