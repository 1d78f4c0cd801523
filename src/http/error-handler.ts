import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { failed, jsonType } from './envelope.ts'

// The one place where an error becomes an answer.

/** On every 503, unless the refusal brings its own. */
const retryAfter = { 'retry-after': '2' }

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = asRefusal(error)
  if (refusal.status >= 500) {
    request.log[refusal.code === 'unavailable' ? 'warn' : 'error'](
      { err: error, request_id: request.id },
      refusal.message,
    )
  }
  sendRefusal(reply, refusal)
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): void {
  void reply
    .code(refusal.status)
    .headers(refusal.code === 'unavailable' ? { ...retryAfter, ...refusal.headers } : refusal.headers)
    .header('content-type', jsonType)
    .send(JSON.stringify(failed(refusal)))
}

export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable) {
    if (!error.outcomeUnknown) return new Refusal('unavailable')
    return new Refusal(
      'unavailable',
      'The database went away while this was being saved; look it up before you try again',
    )
  }
  return fromFastify(error as FastifyError)
}

function fromFastify(error: FastifyError): Refusal {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('unsupported_media_type')
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('body_too_large')
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new Refusal('malformed_body')
    case 'FST_ERR_BAD_URL':
      return brokenRule('address', 'The address of the request is not valid percent-encoding')
    case 'FST_ERR_ROUTE_MISSING_HANDLER':
      return new Refusal('not_found', 'There is nothing at this address')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('uri_too_long')
    default:
      // A body that broke off, an aborted upload: the client's doing, not ours.
      return error.statusCode === 400 ? new Refusal('malformed_body') : new Refusal('internal_error')
  }
}
