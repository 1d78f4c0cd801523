import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendPage } from '../../../platform/http/page.ts'
import { refuseIfWaiting } from '../../../platform/http/rate-limit.ts'
import type { Server } from '../../../platform/http/server.ts'
import { networkOf } from '../../../platform/input/network-of.ts'
import { redirectToPayment, showPayment } from '../answer.ts'
import type { Checkout } from '../checkout.ts'
import { openPayment, type CheckoutRequest } from '../open-payment.ts'
import { readOwnForm } from '../own-form.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { askEmailPage } from '../pages/ask-email.ts'
import { asksForEmail, isEmailOf } from './old-receipt.ts'
import { receiptPaper } from './receipt-pdf.ts'
import { nameInFile, openReceipt, sendPaper, withProof } from './send-paper.ts'

// The receipt as a file, and the way to an old one.

type ProofRequest = FastifyRequest<{ Params: { digits: string; proof: string } }>

export function addReceipts(scope: Server, checkout: Checkout): void {
  scope.get('/payment/:digits/receipt.pdf', async (request: CheckoutRequest, reply) => {
    const model = await openReceipt(checkout, request)
    if (asksForEmail(model)) return redirectToPayment(reply, model)
    const name = `receipt-${nameInFile(model)}`
    return sendPaper(checkout, request, reply, { name, model, paper: receiptPaper(model) })
  })

  // Whoever loads the address of the form again.
  scope.get('/payment/:digits/receipt', async (request: CheckoutRequest, reply) =>
    redirectToPayment(reply, await openPayment(checkout, request)),
  )

  scope.get('/payment/:digits/receipt/:proof', async (request: ProofRequest, reply) => {
    const model = await withProof(checkout, await openPayment(checkout, request), request.params.proof)
    return model.receiptProof === undefined ? redirectToPayment(reply, model) : showPayment(reply, 200, model)
  })

  scope.post('/payment/:digits/receipt', async (request: CheckoutRequest, reply) =>
    answerEmail(checkout, request, reply),
  )
}

/** Every try counts, even the right one, or the limit would reveal it. */
async function answerEmail(
  checkout: Checkout,
  request: CheckoutRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const model = await openPayment(checkout, request)
  const email = readOwnForm(request, model.token, checkout.baseUrl).get('email') ?? ''
  if (!asksForEmail(model)) return redirectToPayment(reply, model)
  if (email.trim() === '') return askAgain(reply, model, 'emailMissing')
  refuseIfWaiting(checkout.guessLimits.network.take(networkOf(request.ip)))
  refuseIfWaiting(checkout.guessLimits.payment.take(model.digits))
  if (!isEmailOf(model, email)) return askAgain(reply, model, 'otherEmail')
  const proof = await checkout.receiptProofs.make(model.digits)
  return reply.redirect(addressOf(model, `/receipt/${proof}`), 303)
}

function askAgain(
  reply: FastifyReply,
  model: PageModel,
  mistake: 'emailMissing' | 'otherEmail',
): FastifyReply {
  const headers = { 'content-language': model.language.code }
  return sendPage(reply, 400, askEmailPage(model, mistake), {}, headers)
}
