import type { FastifyRequest } from 'fastify'
import { warningsOf } from '../input/unknown-fields.ts'

// The last changes to an answer's text.

const plainGets = new WeakSet<FastifyRequest>()

/**
 * For callers that take `success` in the envelope for a paid payment. A reference typed by a customer, such as
 * `42/notifications`, can lead them to any GET, so its answer has `ok` instead.
 */
export function answerWithOk(request: FastifyRequest): void {
  if (request.method === 'GET') plainGets.add(request)
}

/** Only for the look-up of a paid payment. */
export function answerWithSuccess(request: FastifyRequest): void {
  plainGets.delete(request)
}

const good = '{"status":"success"'

/** The text of an envelope, as its caller needs it. */
export function finishEnvelope(request: FastifyRequest, status: number, text: string): string {
  if (plainGets.has(request) && text.startsWith(good)) return `{"status":"ok"${text.slice(good.length)}`
  // Plain names make plain sentences: the text stays ASCII. A refusal names rules instead.
  const warnings = status < 400 ? warningsOf(request.body) : undefined
  return warnings === undefined ? text : `${text.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`
}
