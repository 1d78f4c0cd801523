// The closed list of ways Florin says no. A refusal is thrown once, where the rule is known, and mapped to an
// answer once, in http/error-handler.ts; `code` is the stable word that merchants' programs branch on.

const refusals = {
  moved: { status: 308, message: 'This resource has moved' },
  validation_failed: { status: 400, message: 'The request is invalid' },
  malformed_body: { status: 400, message: 'The request body is not valid JSON' },
  unauthorized: { status: 401, message: 'Authorization is required' },
  live_not_enabled: { status: 403, message: 'Live payments are not switched on for this account' },
  merchant_suspended: {
    status: 403,
    message: 'This account is suspended; contact the operator of this Florin',
  },
  refund_not_allowed: { status: 403, message: "This key isn't allowed to refund: use a key that is" },
  form_refused: { status: 403, message: 'The form was not sent from this page' },
  not_allowed: { status: 403, message: 'Your role does not allow this' },
  not_found: { status: 404, message: 'Not found' },
  method_not_allowed: { status: 405, message: 'This method is not allowed here' },
  request_timeout: { status: 408, message: 'The request took too long to arrive: send it again' },
  tx_ref_taken: { status: 409, message: 'tx_ref has been used before' },
  idempotency_conflict: {
    status: 409,
    message: 'Idempotency-Key was used before with another body: send a new key',
  },
  not_cancellable: { status: 409, message: 'This payment can no longer be cancelled' },
  refund_ref_taken: { status: 409, message: 'refund_ref was used before for another refund: choose another' },
  not_refundable: { status: 409, message: "This payment can't be refunded" },
  more_than_left: { status: 409, message: 'This is more than is left to refund' },
  method_ended: { status: 409, message: 'This saved method has ended, so it can no longer be charged' },
  retry_too_early: { status: 409, message: 'The last charge was declined: wait before you try again' },
  charge_limit: { status: 409, message: 'This charge would exceed a limit for saved methods' },
  charges_stopped: {
    status: 409,
    message:
      'Charges of saved methods are stopped for this account: an owner can allow them in Settings, Saved methods',
  },
  no_callback_url: {
    status: 409,
    message: 'This payment has no callback_url, so there is nowhere to send it',
  },
  endpoint_taken: { status: 409, message: 'Another endpoint already has this URL' },
  too_many_endpoints: {
    status: 409,
    message: 'This mode already has ten endpoints, the maximum: delete one first',
  },
  name_taken: { status: 409, message: 'A project with this name already exists: choose another name' },
  body_too_large: { status: 413, message: 'The request body is larger than 64 KiB: send less' },
  uri_too_long: { status: 414, message: 'The request URL is too long' },
  unsupported_media_type: {
    status: 415,
    message: 'The request body must be JSON: send it with Content-Type: application/json',
  },
  cannot_save: {
    status: 422,
    message: 'None of your networks can save a payment method in this currency',
  },
  rate_limited: { status: 429, message: 'Too many requests' },
  headers_too_large: { status: 431, message: 'The request headers are too large' },
  internal_error: {
    status: 500,
    message: 'Something went wrong on our side: report the x-request-id of this answer',
  },
  unavailable: {
    status: 503,
    message: 'Florin is busy or its database is unavailable; try again shortly',
  },
} as const

export type RefusalCode = keyof typeof refusals
export type FieldErrors = Record<string, string[]>

export type Existing = { readonly status: string; readonly checkout_url?: string }

/** On every 503, of calls and of pages, unless the refusal brings its own. */
const retryAfter = { 'retry-after': '2' }

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  /** Always there when validation failed: who writes a refusal can't forget it. */
  readonly errors: FieldErrors | undefined
  readonly headers: Record<string, string>
  /** The payment that has this tx_ref, so that a retry can go on with it. */
  readonly existing: Existing | undefined

  constructor(
    code: RefusalCode,
    message?: string,
    detail: { errors?: FieldErrors; headers?: Record<string, string>; existing?: Existing } = {},
  ) {
    super(message ?? refusals[code].message)
    this.name = 'Refusal'
    this.code = code
    this.status = refusals[code].status
    this.errors = detail.errors ?? (code === 'validation_failed' ? { request: [this.message] } : undefined)
    this.headers = { ...(code === 'unavailable' && retryAfter), ...detail.headers }
    this.existing = detail.existing
  }
}

/** The refusal of one field. `sentence` is the message: `tx_ref is required`. */
export function brokenRule(field: string, sentence: string): Refusal {
  return new Refusal('validation_failed', sentence, { errors: { [field]: [sentence] } })
}

/** For a non-canonical URL. Clients that don't follow redirects read the right one in the message. */
export function movedTo(address: string): Refusal {
  return new Refusal('moved', `Use ${address}`, { headers: { location: address } })
}

/** For the API reference: every code word with its status. */
export function refusalCodes(): { code: RefusalCode; status: number; message: string }[] {
  return Object.entries(refusals).map(([code, { status, message }]) => ({
    code: code as RefusalCode,
    status,
    message,
  }))
}
