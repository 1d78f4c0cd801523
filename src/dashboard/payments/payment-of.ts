import { Refusal, type RefusalCode } from '../../errors/refusals.ts'
import { findPaymentByNumber, type PaymentRow } from '../../payments/find-payment.ts'
import type { Answer, Content, MemberAsk } from '../ask.ts'
import { show } from '../define-route.ts'
import { mistakesOf, type Mistakes } from '../parts/parts.ts'

// The payment that a page is about, and what happens when something can't be done with it.

/** By its number alone: a tx_ref is any text, and one that reads as the number of another payment must not open that one's page. */
export async function paymentOf({ place, params, people }: MemberAsk): Promise<PaymentRow> {
  const key = { merchantId: place.merchant.id, number: params['number'] ?? '' }
  return findPaymentByNumber(people.db, key, place.mode)
}

export function keyOf(payment: PaymentRow): { readonly merchantId: number; readonly number: string } {
  return { merchantId: payment.merchant_id, number: payment.number }
}

/** What a payment refuses because of how it stands is said on the page that asked, as mistakes in forms are. */
const saidOnPage: readonly RefusalCode[] = [
  'validation_failed',
  'not_cancellable',
  'not_refundable',
  'more_than_left',
  'refund_ref_taken',
]

export async function orSayWhyNot(
  work: () => Promise<Answer>,
  draw: (mistakes: Mistakes) => Promise<Content>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || !saidOnPage.includes(error.code)) throw error
    const mistakes = error.errors ? mistakesOf(error.errors) : { form: error.message }
    return show(await draw(mistakes), error.status)
  }
}
