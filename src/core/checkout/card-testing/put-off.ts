import type { FastifyReply } from 'fastify'
import { pauseMs } from '../../payments/card-testing/proof.ts'
import type { PayResult } from '../../payments/attempts/pay.ts'
import { redirectToPayment, showPayment } from '../answer.ts'
import type { PageModel } from '../page-model.ts'
import { screenOf } from '../screens.ts'
import type { WhoAsks } from './who-asks.ts'

export type PutOff = Extract<PayResult, { kind: 'wait' | 'proof_needed' }>

export function isPutOff(result: PayResult): result is PutOff {
  return result.kind === 'wait' || result.kind === 'proof_needed'
}

/** The form again, with when it can be sent. Nothing was charged, and no attempt was used up. */
export function putOff(
  reply: FastifyReply,
  model: PageModel,
  result: PutOff,
  pause: WhoAsks['pause'],
): FastifyReply {
  if (screenOf(model) !== 'pay') return redirectToPayment(reply, model)
  const shown = result.kind === 'wait' ? { ...model, wait: { until: result.until } } : paused(model, pause)
  // The attack has ended meanwhile.
  if (!shown) return redirectToPayment(reply, model)
  const seconds = Math.max(1, Math.ceil((shown.wait.until.getTime() - model.now.getTime()) / 1_000))
  void reply.header('retry-after', String(seconds))
  return showPayment(reply, 429, shown)
}

/** A customer who came too early keeps the page's age: it doesn't start again with each press. */
function paused(model: PageModel, pause: WhoAsks['pause']) {
  if (!model.proof) return undefined
  if (!pause) {
    return { ...model, wait: { until: new Date(model.now.getTime() + pauseMs), isPause: true } }
  }
  const proof = { ...model.proof, token: pause.token }
  return { ...model, proof, wait: { until: pause.until, isPause: true } }
}
