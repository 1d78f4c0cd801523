import { Refusal } from '../../platform/errors/refusals.ts'

// Why a server could not be talked to: one that is away comes back by itself, one with a wrong certificate does not.

/** Nobody answers: it may be restarting. */
export class ServerAway extends Refusal {
  constructor(baseUrl: string, cause: unknown) {
    super('unavailable', `Florin does not answer at ${baseUrl}. Start it, or set BASE_URL to its URL.`)
    this.cause = cause
  }
}

const trust = "set NODE_EXTRA_CA_CERTS to its authority's certificate file"
const certificates: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: `is self-signed, and this machine does not trust it: ${trust}`,
  SELF_SIGNED_CERT_IN_CHAIN: `is signed by an authority that this machine does not trust: ${trust}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `is signed by an authority that this machine does not know: ${trust}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `came without its intermediate certificates: send the whole chain, or ${trust}`,
  CERT_HAS_EXPIRED: 'has expired: renew it',
  CERT_NOT_YET_VALID: 'is not valid yet: check the clock of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name: set BASE_URL to that name',
}

/** What fetch threw, as a message that says what to do. */
export function serverTrouble(baseUrl: string, error: unknown): Refusal {
  const code = codeOf(error)
  const refuseWith = (sentence: string): Refusal =>
    Object.assign(new Refusal('unavailable', sentence), { cause: error })
  const certificate = certificates[code]
  if (certificate !== undefined) return refuseWith(`The certificate of ${baseUrl} ${certificate}.`)
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return refuseWith(
      `The server at ${baseUrl} does not use HTTPS. If that is intended, set BASE_URL to http://…`,
    )
  if (code === 'ENOTFOUND')
    return refuseWith(`The host of ${baseUrl} was not found. Set BASE_URL to Florin's URL.`)
  return new ServerAway(baseUrl, error)
}

/** The code of the real cause; fetch wraps it, and a name with several addresses wraps it once more. */
function codeOf(error: unknown): string {
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] }
  if (typeof code === 'string') return code
  const inner = cause ?? errors?.[0]
  return inner === undefined || inner === null ? '' : codeOf(inner)
}
