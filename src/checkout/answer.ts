import type { FastifyReply } from 'fastify'
import { asRefusal } from '../http/error-handler.ts'
import { sendPage } from '../http/page.ts'
import { sendText } from '../http/send-text.ts'
import type { Refusal } from '../errors/refusals.ts'
import { draw } from './draw.ts'
import { settingOf, type Asked, type CheckoutDeps } from './open-payment.ts'
import { astrayPage, type Astray } from './pages/error-page.ts'
import { logoOrigin } from './pages/summary.ts'
import { addressOf, type Scene, type Setting } from './page-model.ts'

export function show(reply: FastifyReply, status: number, scene: Scene): FastifyReply {
  const origin = logoOrigin(scene.view.payment.logo)
  const policy = origin === undefined ? {} : { images: [origin] }
  return sendPage(reply, status, draw(scene), policy, { 'content-language': scene.language.code })
}

/** To the payment's own page by a fresh GET. */
export function back(reply: FastifyReply, scene: Setting & { digits: string }): FastifyReply {
  const headers = { location: addressOf(scene) }
  return sendText(reply, { status: 303, type: 'text/plain; charset=utf-8', body: '', headers })
}

/** Errors in the customer's words. Only a broken payment may leave a doubt about money, and then it says so. */
export function answerAstray(deps: CheckoutDeps, error: unknown, request: Asked, reply: FastifyReply): void {
  const refusal = asRefusal(error)
  if (refusal.status >= 500) {
    request.log[refusal.code === 'unavailable' ? 'warn' : 'error'](
      { err: error, request_id: request.id },
      refusal.message,
    )
  }
  const setting = settingOf(deps, request)
  const astray = astrayOf(refusal, request.method === 'POST')
  const hasPayment = astray === 'brokenPay' || astray === 'strange'
  const home = hasPayment ? addressOf({ ...setting, digits: request.params.digits }) : undefined
  const headers = { ...refusal.headers, 'content-language': setting.language.code }
  sendPage(reply, refusal.status, astrayPage(setting, astray, home), {}, headers)
}

function astrayOf(refusal: Refusal, isPost: boolean): Astray {
  if (refusal.code === 'not_found') return 'notFound'
  if (refusal.code === 'rate_limited') return 'tooMany'
  if (refusal.status < 500) return 'strange'
  return isPost ? 'brokenPay' : 'broken'
}
