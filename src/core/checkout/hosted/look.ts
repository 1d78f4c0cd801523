import type { VisitOrigin } from '../../payments/attempts/hosted/look-again.ts'
import type { Offered } from '../../payments/attempts/hosted/offers.ts'
import type { CheckoutView } from '../../payments/checkout-view.ts'
import type { Checkout } from '../checkout.ts'
import { paymentKeyFromDigits } from '../payment-key.ts'
import { basicScreen } from '../screens.ts'

// What a page needs to know about networks with their own pages, beyond our tables.

const mayBePaid: ReadonlySet<string> = new Set(['action_required', 'submitted', 'unknown', 'left_open'])

/** `isPageOpen`: the network has just said that nothing was paid on its page. */
type LookedAt = { readonly view: CheckoutView; readonly isPageOpen: boolean }

/** The payment as it is once the network was asked. Who only looks never waits for long, and never finds an error. */
export async function lookAgain(
  checkout: Checkout,
  { digits, address }: { readonly digits: string; readonly address: string },
  view: CheckoutView,
  /** A customer on the way to a page just opened would only be kept waiting: that page knows. */
  came: VisitOrigin | 'to_the_page',
): Promise<LookedAt> {
  const last = view.lastAttempt
  if (!last?.hosted || !mayBePaid.has(last.state) || came === 'to_the_page')
    return { view, isPageOpen: false }
  const looked = await checkout.payer.lookAgain(paymentKeyFromDigits(digits), came)
  return {
    view: (await checkout.readCheckout(digits, address)) ?? view,
    isPageOpen: looked === 'still_open',
  }
}

/** The network that the customer paid at, or is about to, as people know it. */
export function networkOfPayment(
  { payer }: Checkout,
  { lastAttempt }: CheckoutView,
): { network?: string; takesDays?: boolean } {
  if (!lastAttempt?.hosted) return {}
  const { connector, isTold = false } = lastAttempt.hosted
  return { network: payer.labelOf(connector), takesDays: payer.takesDays(connector, isTold) }
}

/** The payment methods to choose from, if there is a choice, and whether a network's money is test money. */
export async function offersOf(
  checkout: Checkout,
  view: CheckoutView,
  returned: boolean,
): Promise<{ offered?: Offered; isSandbox?: boolean }> {
  const { payment, lastAttempt } = view
  if (basicScreen(view, returned) === 'pay') {
    const offered = await checkout.payer.offers(payment)
    const isSandbox = payment.mode === 'live' && offered.offers.some(({ sandbox }) => sandbox)
    return { offered, isSandbox }
  }
  if (payment.mode === 'test' || !lastAttempt?.hosted) return {}
  return { isSandbox: await checkout.payer.isSandbox(payment.merchant_id, lastAttempt.hosted.accountId) }
}
