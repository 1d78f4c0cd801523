import type { FastifyRequest } from 'fastify'
import { saveRequestOf } from '../payments/saving/saving.ts'
import type { Checkout } from './checkout.ts'
import type { PageModel } from './page-model.ts'
import { agreementWords } from './pages/agreement.ts'
import { paymentKeyFromDigits } from './payment-key.ts'

/**
 * Keeps what the customer has read and agreed to by pressing the button. False for a payment that saves nothing, as most
 * do.
 */
export async function agree(
  { modules }: Checkout,
  request: FastifyRequest,
  model: PageModel,
): Promise<boolean> {
  const { payment } = model.view
  const asked = saveRequestOf(payment)
  const words = agreementWords(model)
  if (!asked || words === undefined || payment.state !== 'pending') return false
  const consent = {
    ...paymentKeyFromDigits(model.digits),
    currency: payment.currency,
    asked,
    language: model.language.tag,
    words,
    address: request.ip,
  }
  for (const module of modules) await module.agreed?.(consent)
  return true
}
