import type { ExistingPayment, Failure } from './types.ts'

/** Everything this client throws, except mistakes in your own code (TypeError). It never contains your key. */
export class FlorinError extends Error {
  /** HTTP status; undefined if there was no answer. */
  readonly status: number | undefined
  /** A stable word such as `tx_ref_taken`; undefined if Florin didn't send one. */
  readonly code: string | undefined
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined
  /** Every rule that failed, by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>

  constructor(message: string, answer: FailedAnswer = {}) {
    super(message, answer.cause === undefined ? {} : { cause: answer.cause })
    this.name = new.target.name
    this.status = answer.status
    this.code = answer.failure?.code
    this.requestId = answer.requestId
    this.errors = answer.failure?.errors ?? {}
  }
}

export type FailedAnswer = {
  readonly status?: number
  readonly requestId?: string
  readonly failure?: Partial<Failure>
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** No answer: the server can't be reached, the connection broke or the time limit passed. The call may have worked. */
export class ConnectionError extends FlorinError {}
/** 401: the key is missing, unknown, revoked or of the wrong kind. */
export class AuthenticationError extends FlorinError {}
/** 403: the key is valid and may not do this. */
export class PermissionError extends FlorinError {}
/** 400, 413, 415 and other mistakes in the request. See `errors`. */
export class InvalidRequestError extends FlorinError {}
export class NotFoundError extends FlorinError {}

/** 409: something with this reference exists already, or its status doesn't allow the change. */
export class ConflictError extends FlorinError {
  /** With the code `tx_ref_taken`: the payment that has the tx_ref. */
  readonly existing: ExistingPayment | undefined

  constructor(message: string, answer: FailedAnswer = {}) {
    super(message, answer)
    this.existing = answer.failure?.existing
  }
}

/** 429, after all retries. */
export class RateLimitError extends FlorinError {
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, answer: FailedAnswer = {}) {
    super(message, answer)
    this.retryAfterSeconds = answer.retryAfterSeconds
  }
}

/** 5xx, after all retries. Look the payment up before you try again. */
export class ServerError extends FlorinError {}
/** A webhook that isn't from Florin, was changed, or is too old. */
export class SignatureError extends FlorinError {}

export function errorFor(message: string, answer: FailedAnswer & { readonly status: number }): FlorinError {
  const { status } = answer
  if (status === 401) return new AuthenticationError(message, answer)
  if (status === 403) return new PermissionError(message, answer)
  if (status === 404) return new NotFoundError(message, answer)
  if (status === 409) return new ConflictError(message, answer)
  if (status === 429) return new RateLimitError(message, answer)
  if (status >= 500) return new ServerError(message, answer)
  return new InvalidRequestError(message, answer)
}
