import type { FastifyRequest } from 'fastify'
import type { Server } from '../../../platform/http/server.ts'
import { refundsOf, type RefundRow } from '../find-refunds.ts'
import { redirectToPayment } from '../../../core/checkout/answer.ts'
import type { Checkout } from '../../../core/checkout/checkout.ts'
import type { PageModel } from '../../../core/checkout/page-model.ts'
import { asksForEmail } from '../../../core/checkout/receipt/old-receipt.ts'
import {
  nameInFile,
  openReceipt,
  refuseReceipt,
  sendPaper,
} from '../../../core/checkout/receipt/send-paper.ts'
import { refundPaper, type RefundReceipt } from './refund-pdf.ts'

type RefundPdfRequest = FastifyRequest<{ Params: { digits: string; id: string } }>

export function addRefundReceipts(scope: Server, checkout: Checkout): void {
  scope.get('/payment/:digits/refund/:id/receipt.pdf', async (request: RefundPdfRequest, reply) => {
    const model = await openReceipt(checkout, request)
    const refunds = await refundsOf(checkout.db, model.view.payment)
    const refund = refunds.find(({ id, state }) => id === request.params.id && state === 'succeeded')
    if (!refund) return refuseReceipt()
    if (asksForEmail(model)) return redirectToPayment(reply, model)
    const name = `refund-${nameInFile(model)}-${refund.place}`
    return sendPaper(checkout, request, reply, { name, model, paper: refundPaper(receiptOf(model, refund)) })
  })
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
