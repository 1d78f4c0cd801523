// What a payment must be, in a few lines: the small model that random stories of the real thing are compared with.

export type Found = 'charged' | 'declined' | 'challenge' | 'not there'

export type ModelAttempt =
  | { readonly state: 'challenge'; readonly sinceMs: number }
  | { readonly state: 'unknown'; readonly sinceMs: number; readonly found: 'charged' | 'declined' }
  /** Its server died; this is what the network knows of it. */
  | { readonly state: 'lost'; readonly sinceMs: number; readonly found: Found }

export type ModelPayment = {
  readonly txRef: string
  readonly url: string
  readonly body: string
  readonly idempotencyKey: string | undefined
  state: 'pending' | 'success' | 'failed' | 'cancelled' | 'expired'
  declined: number
  attempt: ModelAttempt | undefined
  attempts: number
}

export type Model = { nowMs: number; readonly payments: ModelPayment[] }

const secondMs = 1_000
export const lifetimeMs = 24 * 3_600 * secondMs
const declinedMax = 10
const waits = { challenge: 900 * secondMs, unknown: 5 * secondMs, lost: 30 * secondMs }

export function isOutOfTime(model: Model): boolean {
  return model.nowMs >= lifetimeMs
}

export function charged(payment: ModelPayment): void {
  payment.attempt = undefined
  payment.state = 'success'
}

export function declined(payment: ModelPayment): void {
  payment.attempt = undefined
  payment.declined += 1
  if (payment.declined >= declinedMax) payment.state = 'failed'
}

export function expire(model: Model): void {
  if (!isOutOfTime(model)) return
  for (const payment of model.payments) {
    if (payment.state === 'pending' && !payment.attempt) payment.state = 'expired'
  }
}

/** A worker asks the network about everything whose time has come. */
export function reconcile(model: Model): void {
  for (const payment of model.payments) {
    const { attempt } = payment
    if (!attempt || model.nowMs - attempt.sinceMs < waits[attempt.state]) continue
    if (attempt.state === 'challenge') {
      payment.attempt = undefined // walked away: the page is open again, and nothing was declined
    } else if (attempt.found === 'charged') {
      charged(payment)
    } else if (attempt.found === 'challenge') {
      payment.attempt = { state: 'challenge', sinceMs: model.nowMs }
    } else {
      declined(payment)
    }
  }
}
