import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../errors/refusals.ts'
import { sendPage } from '../../http/page.ts'
import { refuseIfWaiting } from '../../http/rate-limit.ts'
import type { Server } from '../../http/server.ts'
import { networkOf } from '../../input/network-of.ts'
import { redirectToPayment, showPayment } from '../answer.ts'
import type { Checkout } from '../checkout.ts'
import { openPayment, type CheckoutRequest } from '../open-payment.ts'
import { readOwnForm } from '../own-form.ts'
import { addressOf, type PageModel } from '../page-model.ts'
import { askEmailPage } from '../pages/ask-email.ts'
import type { Paper } from './draw-paper.ts'
import { asksForEmail, hasReceipt, isEmailOf } from './old-receipt.ts'
import { receiptPaper } from './receipt-pdf.ts'
import { refundPaper, storedLogo, type RefundReceipt } from './refund-pdf.ts'
import type { RefundRow } from '../../refunds/find-refunds.ts'

// The receipt as a file, and the way to an old one.

type RefundPdfRequest = FastifyRequest<{ Params: { digits: string; id: string } }>
type ProofRequest = FastifyRequest<{ Params: { digits: string; proof: string } }>

export function addReceipts(scope: Server, checkout: Checkout): void {
  scope.get('/payment/:digits/receipt.pdf', async (request: CheckoutRequest, reply) => {
    const { proof } = request.query as { proof?: unknown }
    const model = await withProof(checkout, await openPayment(checkout, request), proof)
    if (!hasReceipt(model)) throw new Refusal('not_found', 'There is no receipt')
    if (asksForEmail(model)) return redirectToPayment(reply, model)
    const name = model.view.payment.reference.replace(/[^\w-]/g, '')
    return reply
      .header('content-disposition', `attachment; filename="receipt-${name}.pdf"`)
      .type('application/pdf')
      .send(await draw(checkout, request, model, receiptPaper(model)))
  })

  scope.get('/payment/:digits/refund/:id/receipt.pdf', async (request: RefundPdfRequest, reply) => {
    const { proof } = request.query as { proof?: unknown }
    const model = await withProof(checkout, await openPayment(checkout, request), proof)
    const refund = model.refunds?.find(({ id, state }) => id === request.params.id && state === 'succeeded')
    if (!hasReceipt(model) || !refund) throw new Refusal('not_found', 'There is no receipt')
    if (asksForEmail(model)) return redirectToPayment(reply, model)
    const name = model.view.payment.reference.replace(/[^\w-]/g, '')
    return reply
      .header('content-disposition', `attachment; filename="refund-${name}-${refund.place}.pdf"`)
      .type('application/pdf')
      .send(await draw(checkout, request, model, refundPaper(receiptOf(model, refund))))
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

async function draw(
  { receiptFiles, pictures }: Checkout,
  { ip }: Pick<FastifyRequest, 'ip'>,
  { shop }: PageModel,
  paper: Paper,
): Promise<Buffer> {
  return receiptFiles.forPage(networkOf(ip), { paper, logo: storedLogo(pictures, shop?.logo) })
}

function receiptOf(model: PageModel, refund: RefundRow): RefundReceipt {
  return {
    merchantName: model.view.merchantName,
    language: model.language.tag,
    refundedMinor: refund.amount_minor,
    paidMinor: model.view.payment.amount_minor,
    currency: refund.currency,
    reason: refund.reason ?? undefined,
    refundRef: refund.refund_ref,
    reference: refund.reference,
    txRef: refund.tx_ref,
    at: refund.updated_at,
    brand: model.view.brand,
    isTest: refund.mode === 'test',
  }
}

async function withProof(checkout: Checkout, model: PageModel, proof: unknown): Promise<PageModel> {
  if (typeof proof !== 'string' || !hasReceipt(model)) return model
  return (await checkout.receiptProofs.isGood(model.digits, proof))
    ? { ...model, receiptProof: proof }
    : model
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
