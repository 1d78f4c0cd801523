import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '../errors/database-unavailable.ts'
import { brokenRule, Refusal } from '../errors/refusals.ts'
import { failed, jsonType } from './envelope.ts'

// The one place where an error becomes an answer.

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = asRefusal(error, request)
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
    .headers(refusal.headers)
    .header('content-type', jsonType)
    .send(JSON.stringify(failed(refusal)))
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** All the route does is one commit: while that is not sent, an error says for certain that nothing was done. */
    readonly isOneCommit?: boolean
  }
}

export const nothingDone =
  'Florin is busy or its database is unavailable; nothing was done, try again shortly'
export const maybeDone =
  'The database did not answer, so this may have been saved; look it up before you try again'

type RequestInfo = Pick<FastifyRequest, 'method'> & {
  readonly routeOptions: { readonly config: { readonly isOneCommit?: boolean } }
}

export function asRefusal(error: unknown, request: RequestInfo): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable) return unavailable(error, request)
  return fromFastify(error as FastifyError)
}

/**
 * Never claims what is not known. With PostgreSQL stopped for 19 s, five creates were answered "nothing was done" and had
 * been stored: an earlier statement of the same request had been sent. A request that reads saves nothing either way.
 */
function unavailable(
  { outcomeUnknown }: DatabaseUnavailable,
  { method, routeOptions }: RequestInfo,
): Refusal {
  if (method === 'GET' || method === 'HEAD') return new Refusal('unavailable')
  const isCertain = !outcomeUnknown && routeOptions.config.isOneCommit === true
  return new Refusal('unavailable', isCertain ? nothingDone : maybeDone)
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
      return brokenRule('address', 'The request URL is not valid percent-encoding')
    case 'FST_ERR_ROUTE_MISSING_HANDLER':
      return new Refusal('not_found', 'Nothing exists at this URL: see /docs')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('uri_too_long')
    default:
      // A body that broke off, an aborted upload: the client's doing, not ours.
      return error.statusCode === 400 ? new Refusal('malformed_body') : new Refusal('internal_error')
  }
}
