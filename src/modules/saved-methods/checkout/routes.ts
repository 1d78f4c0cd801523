import type { FastifyReply } from 'fastify'
import { byCustomer } from '../../../core/audit/audit.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { sendPage } from '../../../platform/http/page.ts'
import type { Server } from '../../../platform/http/server.ts'
import { methodIdOf } from '../../../core/payments/saving/saving.ts'
import { viewMethod, type MethodView } from '../customer/view-method.ts'
import { endMethod } from '../end-method.ts'
import { payWithMethod } from '../customer/pay-present.ts'
import { answerForm, redirectTo, redirectToPayment } from '../../../core/checkout/answer.ts'
import type { Checkout } from '../../../core/checkout/checkout.ts'
import { openPayment, type CheckoutRequest } from '../../../core/checkout/open-payment.ts'
import { readOwnForm } from '../../../core/checkout/own-form.ts'
import {
  addressOf,
  doneAddressOf,
  mailLanguage,
  takesBack,
  type PageModel,
} from '../../../core/checkout/page-model.ts'
import { screenOf } from '../../../core/checkout/screens.ts'
import type { MethodKeeping } from '../keeping.ts'
import { savedOffers } from './offers.ts'
import { endPath, methodPage, methodPath } from './page.ts'

// Where a customer sees and ends their saved method. Its address is that of a payment which saved it or was paid with it, which
// nobody can guess and every receipt holds. No shop may frame it.

export function addSavedMethod(scope: Server, checkout: Checkout, keeping: MethodKeeping): void {
  scope.get(`/payment/:digits${methodPath}`, async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    if (methodIdOf(model.view.payment) === undefined) return redirectToPayment(reply, model)
    return show(reply, model, await findView(checkout, model))
  })

  scope.post(`/payment/:digits${endPath}`, async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    readOwnForm(request, model.token, checkout.baseUrl)
    const { method } = await findView(checkout, model)
    const scopeOfMethod = { merchantId: method.merchant_id, mode: method.mode }
    await endMethod(keeping, scopeOfMethod, method.id, byCustomer(request), 'customer')
    return redirectTo(reply, addressOf(model, methodPath))
  })

  // Whoever loads the address of the form again.
  scope.get(`/payment/:digits${endPath}`, async (request: CheckoutRequest, reply) =>
    redirectTo(reply, addressOf(await openPayment(checkout, request), methodPath)),
  )
}

async function findView({ db }: Checkout, { view }: PageModel): Promise<MethodView> {
  const found = await viewMethod(db, view.payment)
  if (!found) throw new Refusal('not_found', 'Saved method not found')
  return found
}

function show(reply: FastifyReply, model: PageModel, view: MethodView): FastifyReply {
  return sendPage(reply, 200, methodPage(model, view), {}, { 'content-language': model.language.code })
}

/** Pays with a saved method by one press. */
export function addOnePress(scope: Server, checkout: Checkout, keeping: MethodKeeping): void {
  // Whoever loads the address of the form again.
  scope.get('/payment/:digits/pay-saved', async (request: CheckoutRequest, reply) =>
    redirectToPayment(reply, await openPayment(checkout, request)),
  )
  scope.post('/payment/:digits/pay-saved', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    const form = readOwnForm(request, model.token, checkout.baseUrl)
    const method = (await savedOffers(keeping, model.view, model.returned === true)).find(
      ({ id }) => id === form.get('method'),
    )
    if (!method || screenOf(model) !== 'pay') return answerForm(request, reply, addressOf(model))
    const { kind } = await payWithMethod(keeping, model.view.payment, method.id, mailLanguage(model))
    const isBack = kind === 'paid' && takesBack(model)
    return answerForm(request, reply, isBack ? doneAddressOf(model) : addressOf(model))
  })
}
