import { renderSVG } from 'uqr'
import { Refusal } from '../errors/refusals.ts'
import { addFormBodies } from '../http/form-body.ts'
import { sendCompressed } from '../http/send-text.ts'
import type { Server } from '../http/server.ts'
import { answerAstray, back, show } from './answer.ts'
import { script } from './assets.ts'
import { readCardForm } from './card-form.ts'
import {
  keyOf,
  makeOpen,
  missed,
  readForm,
  type Asked,
  type CheckoutDeps,
  type Open,
} from './open-payment.ts'
import { drawReceiptPdf } from './receipt-pdf.ts'
import type { Scene } from './scene.ts'
import { screenOf } from './screens.ts'

// The customer's side of a payment. Every post answers 303 back to the payment, so that refresh and back are safe;
// what is shown there is read from the payment, never from the post.

export function addCheckout(server: Server, deps: CheckoutDeps): void {
  const open = makeOpen(deps)
  // A room of its own: forms and pages for errors are the checkout's alone.
  void server.register(async (room) => {
    addFormBodies(room)
    room.setErrorHandler((error, request, reply) => answerAstray(deps, error, request as Asked, reply))
    addPages(room, deps, open)
    addFiles(room, deps, open)
    addPosts(room, deps, open)
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
      headers: { 'cache-control': 'public, max-age=31536000, immutable' },
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
    const scene = await open(request)
    if (screenOf(scene.view) !== 'paid') throw new Refusal('not_found', 'There is no receipt')
    const name = scene.view.payment.reference.replace(/[^\w-]/g, '')
    return reply
      .header('content-disposition', `attachment; filename="receipt-${name}.pdf"`)
      .type('application/pdf')
      .send(drawReceiptPdf(scene))
  })
}

function addPosts(room: Server, { payer }: CheckoutDeps, open: Open): void {
  room.post('/payment/:digits/pay', async (request: Asked, reply) => {
    const scene = await open(request)
    const form = readForm(request, scene)
    // In live mode it ends here, before the card is read.
    if (screenOf(scene.view) !== 'pay') return back(reply, scene)
    const read = readCardForm(form, scene.now)
    if (!read.ok) return show(reply, 400, { ...scene, mistakes: read.mistakes, typed: read.typed })
    const result = await payer.pay(
      { ...keyOf(scene), mode: scene.view.payment.mode },
      read.card,
      spoken(scene),
    )
    if (result.kind === 'refused_card') {
      return show(reply, 400, { ...scene, mistakes: { number: 'numberNotTest' }, typed: read.typed })
    }
    return back(reply, scene)
  })
  room.post('/payment/:digits/challenge', async (request: Asked, reply) => {
    const scene = await open(request)
    const form = readForm(request, scene)
    const attempt = Number(form.get('attempt'))
    const answer = form.get('answer')
    if (!Number.isSafeInteger(attempt)) return back(reply, scene)
    if (answer === 'approve' || answer === 'refuse') {
      await payer.answerChallenge(keyOf(scene), attempt, answer)
    } else if (answer === 'other_card') {
      await payer.giveUpChallenge(keyOf(scene), attempt)
    }
    return back(reply, scene)
  })
  room.post('/payment/:digits/cancel', async (request: Asked, reply) => {
    const scene = await open(request)
    readForm(request, scene)
    await payer.cancel(keyOf(scene), 'customer').catch((error: unknown) => {
      // Paid in another tab meanwhile: the payment's page says so.
      if (!(error instanceof Refusal && error.code === 'not_cancellable')) throw error
    })
    return back(reply, scene)
  })
}

/** English is what a receipt is written in anyway: nothing to note. */
function spoken({ language }: Scene): string | undefined {
  return language.code === 'en' ? undefined : language.code
}
