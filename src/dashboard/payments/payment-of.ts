import { Refusal, type RefusalCode } from '../../errors/refusals.ts'
import { findPayments, type PaymentRow } from '../../payments/support/search-payments.ts'
import type { Answer, Content, MemberAsk } from '../ask.ts'
import { show } from '../define-route.ts'
import { mistakesOf, type Mistakes } from '../pages/parts.ts'

// The payment that a page is about, and what happens when something can't be done with it.

/** By its tx_ref, or by its number where another page had nothing else. Another's, or of the other mode: not found. */
export async function paymentOf({ dashboard, place, params, people }: MemberAsk): Promise<PaymentRow> {
  const name = params['tx_ref'] ?? ''
  const scope = { merchantId: place.merchant.id, mode: place.mode }
  try {
    return await dashboard.findPayment(scope.merchantId, scope.mode, name)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found' || !/^\d{24}$/.test(name)) throw error
    const { payments } = await findPayments(people.db, scope, { search: name })
    const found = payments.find(({ number }) => number === name)
    if (!found) throw error
    return found
  }
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
