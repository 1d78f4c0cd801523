import { renderSVG } from 'uqr'
import { Refusal } from '../errors/refusals.ts'
import { addFormBodies } from '../http/form-body.ts'
import { compressible, sendCompressed } from '../http/send-text.ts'
import type { Server } from '../http/server.ts'
import { attemptsMax } from '../payments/attempts/apply-outcome.ts'
import { answerWithErrorPage, back, show } from './answer.ts'
import { script } from './assets.ts'
import { readCardForm } from './card-form.ts'
import {
  fieldsOf,
  isOwnForm,
  keyOf,
  makeOpen,
  missed,
  readForm,
  settingOf,
  type Asked,
  type CheckoutDeps,
  type Open,
} from './open-payment.ts'
import { drawReceiptPdf } from './receipt-pdf.ts'
import type { Setting } from './page-model.ts'
import { screenOf, type Screen } from './screens.ts'
import { makeTokens, type TokenOf } from './token.ts'

// The customer's side of a payment. Every post answers 303 back to the payment, so that refresh and back are safe;
// what is shown there is read from the payment, never from the post.

export function addCheckout(server: Server, deps: CheckoutDeps): void {
  const tokenOf = makeTokens(deps.db)
  const open = makeOpen(deps, tokenOf)
  // A room of its own: forms and pages for errors are the checkout's alone.
  void server.register(async (room) => {
    addFormBodies(room)
    room.setErrorHandler((error, request, reply) => answerWithErrorPage(deps, error, request as Asked, reply))
    addPages(room, deps, open)
    addFiles(room, deps, open)
    addPosts(room, deps, open, tokenOf)
  })
}

function addPages(room: Server, deps: CheckoutDeps, open: Open): void {
  room.get('/payment/:digits', async (request: Asked, reply) => show(reply, 200, await open(request)))
  room.get('/payment/:digits/state', async (request: Asked) => {
    return { screen: screenOf((await open(request)).view) }
  })
  // Whoever loads the address of a form again, as after a mistake in it.
  for (const verb of ['pay', 'challenge', 'cancel']) {
    room.get(`/payment/:digits/${verb}`, async (request: Asked, reply) => back(reply, await open(request)))
  }
  room.get('/payment/*', async (request) => {
    throw missed(deps, request)
  })
}

function addFiles(room: Server, deps: CheckoutDeps, open: Open): void {
  room.get(script.path, (_, reply) =>
    sendCompressed(reply, {
      type: 'text/javascript; charset=utf-8',
      body: script.text,
      headers: { ...compressible, 'cache-control': 'public, max-age=31536000, immutable' },
    }),
  )
  room.get('/payment/:digits/qr.svg', async (request: Asked, reply) => {
    const { digits } = await open(request)
    return (
      reply
        // For a till or an invoice on the merchant's own pages.
        .header('cross-origin-resource-policy', 'cross-origin')
        .type('image/svg+xml')
        .send(renderSVG(`${deps.baseUrl}/payment/${digits}`, { ecc: 'M', border: 4 }))
    )
  })
  room.get('/payment/:digits/receipt.pdf', async (request: Asked, reply) => {
    const model = await open(request)
    if (!receiptScreens.has(screenOf(model.view))) throw new Refusal('not_found', 'There is no receipt')
    const name = model.view.payment.reference.replace(/[^\w-]/g, '')
    return reply
      .header('content-disposition', `attachment; filename="receipt-${name}.pdf"`)
      .type('application/pdf')
      .send(drawReceiptPdf(model))
  })
}

/** Money was taken. That some or all of it went back since is a line of the receipt, not the end of it. */
const receiptScreens: ReadonlySet<Screen> = new Set(['paid', 'refunded', 'reversed'])

function addPosts(room: Server, deps: CheckoutDeps, open: Open, tokenOf: TokenOf): void {
  const { payer } = deps
  room.post('/payment/:digits/pay', async (request: Asked, reply) => {
    const { digits } = request.params
    if (!isOwnForm(request, await tokenOf(digits, 'test'))) {
      const model = await open(request)
      readForm(request, model)
      // In live mode it ends here, before the card is read.
      return back(reply, model)
    }
    // A good post needs no look at the payment: starting an attempt is what decides.
    const place = { ...settingOf(deps, request), digits }
    const read = readCardForm(fieldsOf(request), deps.now())
    if (read.ok) {
      const result = await payer.pay({ ...keyOf(place), mode: 'test' }, read.card, spoken(place))
      if (result.kind !== 'refused_card') return back(reply, place)
    }
    const model = await open(request)
    if (screenOf(model.view) !== 'pay') return back(reply, model)
    const mistakes = read.ok ? { number: 'numberNotTest' as const } : read.mistakes
    return show(reply, 400, { ...model, mistakes, typed: read.typed })
  })
  room.post('/payment/:digits/challenge', async (request: Asked, reply) => {
    const model = await open(request)
    const form = readForm(request, model)
    const attempt = Number(form.get('attempt'))
    const answer = form.get('answer')
    if (!(Number.isInteger(attempt) && attempt >= 1 && attempt <= attemptsMax)) return back(reply, model)
    if (answer === 'approve' || answer === 'refuse') {
      await payer.answerChallenge(keyOf(model), attempt, answer)
    } else if (answer === 'other_card') {
      await payer.giveUpChallenge(keyOf(model), attempt)
    }
    return back(reply, model)
  })
  room.post('/payment/:digits/cancel', async (request: Asked, reply) => {
    const model = await open(request)
    readForm(request, model)
    await payer.cancel(keyOf(model), 'customer').catch((error: unknown) => {
      // Paid in another tab meanwhile: the payment's page says so.
      if (!(error instanceof Refusal && error.code === 'not_cancellable')) throw error
    })
    return back(reply, model)
  })
}

/** English is what a receipt is written in anyway: nothing to note. */
function spoken({ language }: Setting): string | undefined {
  return language.code === 'en' ? undefined : language.code
}
