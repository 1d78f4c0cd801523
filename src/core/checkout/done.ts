import type { Server } from '../../platform/http/server.ts'
import { redirectTo, showPayment } from './answer.ts'
import type { Checkout } from './checkout.ts'
import { openPayment, type CheckoutRequest } from './open-payment.ts'
import {
  addressOf,
  doneAddressOf,
  looksAddressOf,
  returnedAddressOf,
  takesBack,
  type PageModel,
} from './page-model.ts'
import { asksForEmail } from './receipt/old-receipt.ts'
import { screenOf } from './screens.ts'

// Where a customer who has just paid is led back to the shop; with a payment of the family, also one who cancelled or failed. A redirect out of the form itself would be stopped by our own content
// policy, so this page is the receipt and moves on at once. Browsers put the shop in its place in the history: going back shows the
// payment's own page, which stays. While there is nothing to leave for, it leads to the payment's own page too.

export function addDone(scope: Server, checkout: Checkout): void {
  scope.get('/payment/:digits/done', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    if (goesBack(model)) return showPayment(reply, 200, { ...model, goesBack: true })
    return redirectTo(reply, homeOf(model))
  })
}

/** Where the page of a paying customer goes next. */
export function nextAddress(model: PageModel): string {
  return goesBack(model) ? doneAddressOf(model) : addressOf(model)
}

function goesBack(model: PageModel): boolean {
  if (!takesBack(model) || asksForEmail(model)) return false
  const { payment } = model.view
  const screen = screenOf(model)
  if (screen === 'paid') return payment.refunded_minor === 0n
  const hasEnded = screen === 'cancelled' || screen === 'failed'
  return hasEnded && payment.dialect === 'family' && payment.return_url !== null
}

/** A page that waits keeps count of its looks. */
function homeOf(model: PageModel): string {
  if (model.looks !== undefined && model.looks !== 0) return looksAddressOf(model, model.looks)
  return model.returned === true ? returnedAddressOf(model) : addressOf(model)
}
