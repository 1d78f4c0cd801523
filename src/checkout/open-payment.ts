import type { FastifyRequest } from 'fastify'
import type { Checkout } from './checkout.ts'
import { displayMoney } from './language.ts'
import { refuseGuessers, refuseMiss } from './misses.ts'
import type { PageModel } from './page-model.ts'
import { readSetting } from './read-setting.ts'

export type CheckoutRequest = FastifyRequest<{ Params: { digits: string } }>

/** From a request to the model of the page that it asks for. */
export async function openPayment(checkout: Checkout, request: CheckoutRequest): Promise<PageModel> {
  const { digits } = request.params
  refuseGuessers(checkout.missLimit, request.ip)
  const view = await checkout.readCheckout(digits)
  if (!view) return refuseMiss(checkout.missLimit, request.ip)
  const setting = readSetting(checkout.prefix, request)
  const { stay } = request.query as { stay?: unknown }
  return {
    ...setting,
    view,
    digits,
    amount: displayMoney(view.payment.amount_minor, view.payment.currency, setting.language),
    token: await checkout.tokenOf(digits, view.payment.mode),
    now: checkout.now(),
    stays: stay !== undefined,
  }
}
