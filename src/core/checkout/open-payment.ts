import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../platform/errors/refusals.ts'
import { limitMisses } from '../../platform/http/rate-limit.ts'
import { networkOf } from '../../platform/input/network-of.ts'
import type { Checkout } from './checkout.ts'
import { displayMoney } from './language.ts'
import type { VisitOrigin } from '../payments/attempts/hosted/look-again.ts'
import { readLooks, type PageModel } from './page-model.ts'
import { lookAgain, networkOfPayment, offersOf } from './hosted/look.ts'
import { readSetting } from './read-setting.ts'
import { shopOf } from './logo/shop-of.ts'
import { readParts } from './parts/page-parts.ts'

export type CheckoutRequest = FastifyRequest<{ Params: { digits: string } }>

/** From a request to the model of the page that it asks for. */
export async function openPayment(
  checkout: Checkout,
  request: CheckoutRequest,
  came: VisitOrigin | 'to_the_page' = 'by_itself',
): Promise<PageModel> {
  const { digits } = request.params
  const first = await limitMisses(checkout.missLimit, networkOf(request.ip), async () => {
    const found = await checkout.readCheckout(digits, request.ip)
    return found ?? refuseUnknown()
  })
  const { interrupted, returned, looks } = request.query as Record<string, unknown>
  const shop = await shopOf(checkout, checkout.prefix, digits, first)
  const setting = readSetting(checkout, request, shop)
  checkout.knownShops.note(request, shop)
  const { view, isPageOpen } = await lookAgain(checkout, { digits, address: request.ip }, first, came)
  const attempt = (view.lastAttempt?.attempt ?? 0) + 1
  const task =
    view.proofBits !== undefined && checkout.cardTesting.proofs.give(digits, attempt, view.proofBits)
  return {
    ...setting,
    ...(await offersOf(checkout, view, returned !== undefined)),
    ...networkOfPayment(checkout, view),
    view,
    isPageOpen,
    shop,
    returned: returned !== undefined,
    looks: readLooks(looks),
    digits,
    amount: displayMoney(view.payment.amount_minor, view.payment.currency, setting.language),
    token: await checkout.tokenOf(digits, view.payment.mode),
    now: checkout.now(),
    interrupted: interrupted !== undefined,
    sendsMail: checkout.sendsMail,
    parts: await readParts(checkout, view, returned !== undefined),
    ...(task && { proof: await task }),
    ...(view.waitUntil && { wait: { until: view.waitUntil } }),
  }
}

/** An address below /payment that no payment has, whatever its digits are. */
export async function refuseMiss(checkout: Checkout, request: FastifyRequest): Promise<never> {
  return limitMisses(checkout.missLimit, networkOf(request.ip), async () => refuseUnknown())
}

function refuseUnknown(): never {
  throw new Refusal('not_found', 'Payment not found')
}
