import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { networkOf } from '../../../platform/input/network-of.ts'
import type { Checkout } from '../checkout.ts'
import { openPayment, type CheckoutRequest } from '../open-payment.ts'
import type { PageModel } from '../page-model.ts'
import type { Paper } from './draw-paper.ts'
import { hasReceipt } from './old-receipt.ts'
import { storedLogo } from './stored-logo.ts'

// Receipts as files: the payment's own, and those of modules.

/** The payment of a receipt, with the proof in the query for an old one. */
export async function openReceipt(checkout: Checkout, request: CheckoutRequest): Promise<PageModel> {
  const { proof } = request.query as { proof?: unknown }
  const model = await withProof(checkout, await openPayment(checkout, request), proof)
  return hasReceipt(model) ? model : refuseReceipt()
}

export function refuseReceipt(): never {
  throw new Refusal('not_found', 'There is no receipt')
}

export async function withProof(checkout: Checkout, model: PageModel, proof: unknown): Promise<PageModel> {
  if (typeof proof !== 'string' || !hasReceipt(model)) return model
  return (await checkout.receiptProofs.isGood(model.digits, proof))
    ? { ...model, receiptProof: proof }
    : model
}

export async function sendPaper(
  { receiptFiles, pictures }: Checkout,
  { ip }: Pick<FastifyRequest, 'ip'>,
  reply: FastifyReply,
  { name, model, paper }: { readonly name: string; readonly model: PageModel; readonly paper: Paper },
): Promise<FastifyReply> {
  const logo = storedLogo(pictures, model.shop?.logo)
  const file = await receiptFiles.forPage(networkOf(ip), { paper, logo })
  return reply
    .header('content-disposition', `attachment; filename="${name}.pdf"`)
    .type('application/pdf')
    .send(file)
}

/** The payment's reference as it stands in the name of a file. */
export function nameInFile({ view }: PageModel): string {
  return view.payment.reference.replace(/[^\w-]/g, '')
}
