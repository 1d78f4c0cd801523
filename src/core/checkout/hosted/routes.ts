import { paymentMethods } from '../../networks/hosted.ts'
import { sendPage } from '../../../platform/http/page.ts'
import type { Server } from '../../../platform/http/server.ts'
import { redirectTo, redirectToPayment, showPayment } from '../answer.ts'
import type { Checkout } from '../checkout.ts'
import { nextAddress } from '../done.ts'
import { openPayment, type CheckoutRequest } from '../open-payment.ts'
import { readOwnForm } from '../own-form.ts'
import { addressOf, returnedAddressOf } from '../page-model.ts'
import { awayPage } from '../pages/away.ts'
import { waitingPage } from '../pages/waiting.ts'
import { agree } from '../agree.ts'
import { agreedField } from '../pages/agreement.ts'
import { saveRequestOf } from '../../payments/saving/saving.ts'
import { paymentKeyFromDigits } from '../payment-key.ts'
import { screenOf } from '../screens.ts'

// To a network's own page and back. The post can't lead straight out: our content policy lets forms end on our own
// origin only, and where the network's page will be is not known when the form is drawn. So the post ends on a page of
// ours, and that page leads on.

export function addHosted(scope: Server, checkout: Checkout): void {
  scope.post('/payment/:digits/choose', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    const form = readOwnForm(request, model.token, checkout.baseUrl)
    const method = paymentMethods.find((each) => each === form.get('method'))
    const accountId = form.get('account') ?? ''
    if (!method || screenOf(model) !== 'pay') return redirectToPayment(reply, model)
    const choice = { accountId, method }
    const key = paymentKeyFromDigits(model.digits)
    if (saveRequestOf(model.view.payment)) {
      // Without the agreement nothing may be saved, so nothing is opened that would.
      if (!form.has(agreedField)) return redirectToPayment(reply, model)
      await agree(checkout, request, model)
    }
    const result = await checkout.payer.choose(key, choice, model.language.tag)
    // In flight: pressed twice, and the other press is opening the page.
    const goesOn = result.kind === 'action_required' || result.kind === 'in_flight'
    return goesOn ? reply.redirect(addressOf(model, '/away'), 303) : redirectToPayment(reply, model)
  })
  scope.get('/payment/:digits/choose', async (request: CheckoutRequest, reply) =>
    redirectToPayment(reply, await openPayment(checkout, request)),
  )

  scope.get('/payment/:digits/away', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request, 'to_the_page')
    const last = model.view.lastAttempt
    const headers = { 'content-language': model.language.code }
    if (!last?.hosted || model.view.payment.state !== 'pending') return redirectToPayment(reply, model)
    if (last.state === 'started') return sendPage(reply, 200, waitingPage(model), {}, headers)
    const { pageUrl } = last.hosted
    if (last.state !== 'action_required' || pageUrl === undefined) return redirectToPayment(reply, model)
    return sendPage(reply, 200, awayPage(model, pageUrl), {}, headers)
  })

  // The customer left without paying. We ask the network, so that we can say that nothing was taken.
  scope.get('/payment/:digits/left', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request, 'from_the_page')
    if (!model.isPageOpen || screenOf(model) !== 'pay') return redirectTo(reply, nextAddress(model))
    return showPayment(reply, 200, { ...model, hasLeft: true })
  })

  // Coming back says nothing about money: the network is asked, and until it says so the customer waits.
  scope.get('/payment/:digits/return', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request, 'from_the_page')
    const isOpen = screenOf({ ...model, returned: true }) === 'waiting'
    return redirectTo(reply, isOpen ? returnedAddressOf(model) : nextAddress(model))
  })
}
