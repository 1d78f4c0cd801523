import { renderSVG } from 'uqr'
import { Refusal } from '../../platform/errors/refusals.ts'
import { addFormBodies } from '../../platform/http/form-body.ts'
import { compressible, sendsConstant } from '../../platform/http/send-text.ts'
import type { Server } from '../../platform/http/server.ts'
import { attemptsMax } from '../payments/attempts/apply-outcome.ts'
import { answerForm, answerWithErrorPage, redirectTo, redirectToPayment, showPayment } from './answer.ts'
import { script } from './assets/assets.ts'
import { withoutStrayEnd } from './addresses/stray-end.ts'
import { readCardForm } from './card-form.ts'
import { isPutOff, putOff } from './card-testing/put-off.ts'
import { warnOfProxy, whoAsks } from './card-testing/who-asks.ts'
import { addEmail } from './email/routes.ts'
import { addEmbedScript } from './embed/routes.ts'
import { addHosted } from './hosted/routes.ts'
import { shopOfMerchant } from './logo/known-shops.ts'
import { addLogos } from './logo/routes.ts'
import { makeCheckout, type Checkout, type CheckoutDeps } from './checkout.ts'
import { openPayment, refuseMiss, type CheckoutRequest } from './open-payment.ts'
import { formFields, isOwnForm, readOwnForm } from './own-form.ts'
import { addDone, nextAddress } from './done.ts'
import { agree } from './agree.ts'
import { agreedField } from './pages/agreement.ts'
import {
  addressOf,
  doneAddressOf,
  mailLanguage,
  takesBack,
  takesBackAnyhow,
  takesBackField,
  type Shop,
} from './page-model.ts'
import { paymentKeyFromDigits } from './payment-key.ts'
import { readSetting } from './read-setting.ts'
import { addReceipts } from './receipt/receipt-routes.ts'
import { screenOf, stageOf } from './screens.ts'

// The customer's side of a payment. Every post answers 303 back to the payment, so that refresh and back are safe; the
// page is rendered from the payment, never from the post.

export function addCheckout(server: Server, deps: CheckoutDeps): void {
  const checkout = makeCheckout(deps)
  // In a scope of their own, as forms and error pages are for these routes alone.
  void server.register(async (scope) => {
    addFormBodies(scope)
    addStrayEnds(scope, checkout)
    scope.setErrorHandler((error, request, reply) =>
      answerWithErrorPage(checkout, error, request as CheckoutRequest, reply),
    )
    addPages(scope, checkout)
    addDone(scope, checkout)
    addFiles(scope, checkout)
    addReceipts(scope, checkout)
    addLogos(scope, checkout)
    addEmbedScript(scope)
    addEmail(scope, checkout)
    addPay(scope, checkout)
    addPosts(scope, checkout)
    addHosted(scope, checkout)
    for (const module of checkout.modules) module.addRoutes?.(scope, checkout)
  })
}

function addStrayEnds(scope: Server, { prefix }: Checkout): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const address = request.method === 'GET' ? withoutStrayEnd(request.url) : undefined
    if (address === undefined) done()
    else reply.redirect(prefix + address, 302)
  })
}

function addPages(scope: Server, checkout: Checkout): void {
  scope.get('/payment/:digits', async (request: CheckoutRequest, reply) =>
    showPayment(reply, 200, await openPayment(checkout, request)),
  )
  // For programs: the script of our pages, and `florin trigger`, which sends the forms without reading a page.
  scope.get('/payment/:digits/state', async (request: CheckoutRequest) => {
    const model = await openPayment(checkout, request)
    return { screen: screenOf(model), stage: stageOf(model), next: nextAddress(model), token: model.token }
  })
  // Whoever loads the address of a form again, as after a mistake in it.
  for (const verb of ['email', 'pay', 'challenge', 'cancel']) {
    scope.get(`/payment/:digits/${verb}`, async (request: CheckoutRequest, reply) =>
      redirectToPayment(reply, await openPayment(checkout, request)),
    )
  }
  scope.get('/payment/*', async (request) => refuseMiss(checkout, request))
}

function addFiles(scope: Server, checkout: Checkout): void {
  const sendScript = sendsConstant({
    type: 'text/javascript; charset=utf-8',
    body: script.text,
    headers: { ...compressible, 'cache-control': 'public, max-age=31536000, immutable' },
  })
  scope.get(script.path, async (_, reply) => sendScript(reply))
  const sendStyles = sendsStyles(checkout, 'public, max-age=31536000, immutable')
  scope.get(checkout.styleFile.path, async (_, reply) => sendStyles(reply))
  // During an update the page of one version asks a server of the other: a look that is nearly right beats none.
  const sendNearly = sendsStyles(checkout, 'no-store')
  scope.get('/checkout/:name.css', async (_, reply) => sendNearly(reply))
  scope.get('/payment/:digits/qr.svg', async (request: CheckoutRequest, reply) => {
    const { digits } = await openPayment(checkout, request)
    return (
      reply
        // For a till or an invoice on the merchant's own pages.
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('image/svg+xml')
        .send(renderSVG(`${checkout.baseUrl}/payment/${digits}`, { ecc: 'M', border: 4 }))
    )
  })
}

function sendsStyles({ styleFile }: Checkout, caching: string): ReturnType<typeof sendsConstant> {
  return sendsConstant({
    type: 'text/css; charset=utf-8',
    body: styleFile.text,
    // The preview in the dashboard has no origin of its own.
    headers: { ...compressible, 'cache-control': caching, 'cross-origin-resource-policy': 'cross-origin' },
  })
}

function addPay(scope: Server, checkout: Checkout): void {
  scope.post('/payment/:digits/pay', async (request: CheckoutRequest, reply) => {
    const { digits } = request.params
    if (!isOwnForm(request, await checkout.tokenOf(digits, 'test'), checkout.baseUrl)) {
      const model = await openPayment(checkout, request)
      readOwnForm(request, model.token, checkout.baseUrl)
      // The token of a live payment: no card is read, as cards are typed on the networks' own pages.
      return answerForm(request, reply, addressOf(model))
    }
    // The token shows that this is a test payment, so it is not read first: starting an attempt decides the rest.
    checkout.knownShops.note(request, async () => merchantShop(checkout, digits))
    const shop = await merchantShop(checkout, digits)
    const place = { ...readSetting(checkout, request, shop), digits }
    const read = readCardForm(formFields(request), checkout.now())
    if (read.ok) {
      const payment = { ...paymentKeyFromDigits(digits), mode: 'test' } as const
      const { asker, pause } = await whoAsks(checkout, request, payment)
      // Only the form of a payment that saves its method has this field: no other payment is read here.
      const saves =
        formFields(request).has(agreedField) &&
        (await agree(checkout, request, await openPayment(checkout, request)))
      const result = await checkout.payer.pay(payment, read.card, mailLanguage(place), asker, saves)
      if (isPutOff(result)) {
        warnOfProxy(request)
        return putOff(reply, { ...(await openPayment(checkout, request)), typed: read.typed }, result, pause)
      }
      if (result.kind !== 'refused_card') {
        const takesBackWhen = formFields(request).get(takesBackField)
        const isBack =
          result.kind === 'paid' ? takesBackWhen !== undefined : takesBackWhen === takesBackAnyhow
        return answerForm(request, reply, isBack ? doneAddressOf(place) : addressOf(place))
      }
    }
    const model = await openPayment(checkout, request)
    if (screenOf(model) !== 'pay') return answerForm(request, reply, addressOf(model))
    const mistakes = read.ok ? { number: 'numberNotTest' as const } : read.mistakes
    return showPayment(reply, 400, { ...model, mistakes, typed: read.typed })
  })
}

/** For a payment that is known to exist but wasn't read. */
async function merchantShop({ findMerchant, prefix }: Checkout, digits: string): Promise<Shop | undefined> {
  const merchant = await findMerchant(paymentKeyFromDigits(digits).merchantId)
  return merchant && shopOfMerchant(prefix, merchant)
}

function addPosts(scope: Server, checkout: Checkout): void {
  const { payer } = checkout
  scope.post('/payment/:digits/challenge', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    const form = readOwnForm(request, model.token, checkout.baseUrl)
    const key = paymentKeyFromDigits(model.digits)
    const attempt = Number(form.get('attempt'))
    const answer = form.get('answer')
    if (!(Number.isInteger(attempt) && attempt >= 1 && attempt <= attemptsMax)) {
      return answerForm(request, reply, addressOf(model))
    }
    if (answer === 'approve' || answer === 'refuse') {
      const { kind } = await payer.answerChallenge(key, attempt, answer)
      const isBack = kind === 'paid' && takesBack(model)
      return answerForm(request, reply, isBack ? doneAddressOf(model) : addressOf(model))
    }
    if (answer === 'other_card') await payer.giveUpChallenge(key, attempt)
    return answerForm(request, reply, addressOf(model))
  })
  scope.post('/payment/:digits/cancel', async (request: CheckoutRequest, reply) => {
    const model = await openPayment(checkout, request)
    readOwnForm(request, model.token, checkout.baseUrl)
    const key = paymentKeyFromDigits(model.digits)
    const payment = await payer.cancel(key, 'customer').catch((error: unknown) => {
      // Paid in another tab meanwhile: the payment's page says so.
      if (error instanceof Refusal && error.code === 'not_cancellable') return model.view.payment
      throw error
    })
    return redirectTo(reply, nextAddress({ ...model, view: { ...model.view, payment } }))
  })
}
