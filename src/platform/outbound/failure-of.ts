import { errors } from 'undici'

// One word for each way in which a call can end without an answer.

export type OutboundError =
  | 'address_refused'
  | 'bad_url'
  | 'connection_failed'
  | 'connection_reset'
  | 'dns_failed'
  | 'not_http'
  | 'timeout'
  | 'tls_failed'

export class AddressRefused extends Error {
  readonly code = 'FLORIN_ADDRESS_REFUSED'
}

const dnsCodes = new Set([
  'ENOTFOUND',
  'ENODATA',
  'EAI_AGAIN',
  'ESERVFAIL',
  'EREFUSED',
  'EBADRESP',
  'EBADNAME',
])
const connectCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
])
const resetCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const timeoutCodes = new Set([
  'ETIMEDOUT',
  'ETIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** What the other side, the DNS or OpenSSL really reported, for the log: CERT_HAS_EXPIRED: certificate has expired. */
export function causeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0])
  if (!(error instanceof Error)) return undefined
  const { code } = error as NodeJS.ErrnoException
  const said = error.message.replaceAll(/\s+/g, ' ').slice(0, causeMax).toWellFormed()
  return code === undefined || said.includes(code) ? said : `${code}: ${said}`
}

const causeMax = 200

export function failureOf(error: unknown): OutboundError {
  const { code = '' } = error as { code?: string }
  if (error instanceof AggregateError && code === '') return failureOf(error.errors[0])
  if (error instanceof AddressRefused) return 'address_refused'
  if (timeoutCodes.has(code)) return 'timeout'
  if (dnsCodes.has(code)) return 'dns_failed'
  if (connectCodes.has(code)) return 'connection_failed'
  if (resetCodes.has(code)) return 'connection_reset'
  if (error instanceof errors.InvalidArgumentError || code === 'ERR_INVALID_URL') return 'bad_url'
  if (
    error instanceof errors.HTTPParserError ||
    code.startsWith('HPE_') ||
    code === 'UND_ERR_HEADERS_OVERFLOW'
  )
    return 'not_http'
  // Whatever is left comes from OpenSSL or the certificate check, with a code for each of its many complaints.
  return 'tls_failed'
}
