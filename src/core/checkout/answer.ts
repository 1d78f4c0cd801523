import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../platform/errors/refusals.ts'
import { asRefusal } from '../../platform/http/error-handler.ts'
import { sendPage } from '../../platform/http/page.ts'
import type { Checkout } from './checkout.ts'
import { draw } from './draw.ts'
import type { CheckoutRequest } from './open-payment.ts'
import { addressOf, interruptedAddressOf, returnsTo, type PageModel, type Setting } from './page-model.ts'
import { errorPage, type ErrorKind, type WaysOn } from './parts/error-page.ts'
import { embeddingOf, withoutDocument } from './embed/embedding.ts'
import { readSetting } from './read-setting.ts'
import { screenOf } from './screens.ts'

export function showPayment(reply: FastifyReply, status: number, model: PageModel): FastifyReply {
  const { origins, policy, headers } = embeddingOf(model.view.brand)
  return sendPage(reply, status, draw(origins.length === 0 ? model : embedded(model, origins)), policy, {
    ...headers,
    'content-language': model.language.code,
  })
}

function embedded(model: PageModel, origins: readonly string[]): PageModel {
  const returnTo = model.goesBack === true ? returnsTo(model) : undefined
  return { ...model, embed: { origins, screen: screenOf(model), returnTo } }
}

/** To the payment's own page by a fresh GET. */
export function redirectToPayment(reply: FastifyReply, model: Setting & { digits: string }): FastifyReply {
  return redirectTo(reply, addressOf(model))
}

export function redirectTo(reply: FastifyReply, address: string): FastifyReply {
  return withoutDocument(reply).redirect(address, 303)
}

/**
 * After a form. The script of our pages asks for JSON: a browser hides from scripts where a redirect leads, and the script has to
 * know whether the next page takes the place of this one in the history.
 */
export function answerForm(request: FastifyRequest, reply: FastifyReply, next: string): FastifyReply {
  if (request.headers.accept === 'application/json') return reply.send({ next })
  return redirectTo(reply, next)
}

/** Errors in the customer's words. Only a broken payment may leave a doubt about money, and then it says so. */
export async function answerWithErrorPage(
  checkout: Checkout,
  error: unknown,
  request: CheckoutRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = asRefusal(error, request)
  if (refusal.status >= 500) {
    request.log[refusal.code === 'unavailable' ? 'warn' : 'error'](
      { err: error, request_id: request.id },
      refusal.message,
    )
  }
  const shop = await checkout.knownShops.of(request)
  const setting = readSetting(checkout, request, shop)
  const isCalm = checkout.modules.some(
    ({ calmPath }) => calmPath !== undefined && request.url.includes(calmPath),
  )
  const kind = errorKindOf(refusal, request.method === 'POST' && !isCalm)
  const payment = { ...setting, digits: request.params.digits }
  const headers = { ...refusal.headers, 'content-language': setting.language.code }
  return sendPage(reply, refusal.status, errorPage(setting, kind, waysOn(payment, kind)), {}, headers)
}

function waysOn(payment: Setting & { digits: string }, kind: ErrorKind): WaysOn | undefined {
  if (kind === 'strange') return { home: addressOf(payment) }
  if (kind !== 'brokenPay') return undefined
  return {
    home: addressOf(payment),
    interrupted: { home: interruptedAddressOf(payment), state: addressOf(payment, '/state') },
  }
}

function errorKindOf(refusal: Refusal, isPost: boolean): ErrorKind {
  if (refusal.code === 'not_found') return 'notFound'
  if (refusal.code === 'rate_limited') return 'tooMany'
  if (refusal.status < 500) return 'strange'
  return isPost ? 'brokenPay' : 'broken'
}
