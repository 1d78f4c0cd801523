// What a payment must be, in a few lines: the small model that random stories of the real thing are compared with.

export type ModelOutcome = 'charged' | 'declined' | 'challenge' | 'not there'

export type ModelAttempt =
  | { readonly state: 'challenge'; readonly sinceMs: number }
  | { readonly state: 'unknown'; readonly sinceMs: number; readonly found: 'charged' | 'declined' }
  /** The test bank's page is open, or something was decided on it. */
  | {
      readonly state: 'page'
      readonly sinceMs: number
      readonly endsMs: number
      checks: number
      nextMs: number
      found: 'open' | 'charged' | 'declined'
    }
  /** Its server died; this is what the network knows of it. */
  | { readonly state: 'lost'; readonly sinceMs: number; readonly found: ModelOutcome }

export type ModelPayment = {
  readonly txRef: string
  readonly url: string
  readonly body: string
  readonly idempotencyKey: string | undefined
  state: 'pending' | 'success' | 'failed' | 'cancelled' | 'expired' | 'refunded' | 'reversed'
  declined: number
  attempt: ModelAttempt | undefined
  attempts: number
  /** By the card that it was paid with. */
  dispute?: { readonly sinceMs: number; readonly end: 'won' | 'lost'; state: 'none' | 'open' | 'decided' }
  refundedMinor: bigint
  /** Refunds whose end is not known, in the order in which they were asked for. */
  openRefunds: ModelRefund[]
}

export type ModelRefund = {
  readonly amount: bigint
  readonly dueMs: number
  /** Undefined: it waits for the one before it. */
  readonly sentMs: number | undefined
  /** Whether the network has it. */
  readonly isThere: boolean
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
    if (attempt?.state === 'page') {
      if (model.nowMs >= attempt.nextMs) askBank(payment, model.nowMs)
      continue
    }
    if (!attempt || model.nowMs - attempt.sinceMs < waits[attempt.state]) continue
    if (attempt.state === 'challenge') {
      payment.attempt = undefined // walked away: the page is open again, and nothing was declined
    } else if (attempt.found === 'charged') {
      charged(payment)
    } else if (attempt.found === 'challenge') {
      payment.attempt = { state: 'challenge', sinceMs: model.nowMs }
    } else if (attempt.found === 'declined') {
      declined(payment)
    } else {
      payment.attempt = undefined // never sent: nobody declined anything
    }
  }
}

const dispute = { opensMs: 5 * secondMs, decidedMs: 65 * secondMs, slackMs: 15 * secondMs }

/** So near that the real time which passes meanwhile could decide. */
export function isNearEnd({ dispute: own }: ModelPayment, nowMs: number): boolean {
  const leftMs = own ? own.sinceMs + dispute.decidedMs - nowMs : -1
  return leftMs > 0 && leftMs <= dispute.slackMs
}

/** The network is asked about a dispute: the money is with the bank while it is open, and for good when it is lost. */
export function follow(payment: ModelPayment, nowMs: number): void {
  const { dispute: own } = payment
  if (!own || own.state === 'decided' || nowMs - own.sinceMs < dispute.opensMs) return
  const isDecided = nowMs - own.sinceMs >= dispute.decidedMs
  own.state = isDecided ? 'decided' : 'open'
  payment.state = isDecided && own.end === 'won' ? 'success' : 'reversed'
}

const pageLifeMs = 3_600 * secondMs
// How long after one look the next one comes, while the page is open.
const looks = [30, 30, 60, 180, 300].map((seconds) => seconds * secondMs)

export function openPage(payment: ModelPayment, nowMs: number): void {
  const endsMs = nowMs + pageLifeMs
  payment.attempts += 1
  payment.attempt = {
    state: 'page',
    sinceMs: nowMs,
    endsMs,
    checks: 0,
    nextMs: nowMs + 30 * secondMs,
    found: 'open',
  }
}

/** The schedule asks the bank. */
function askBank(payment: ModelPayment, nowMs: number): void {
  const { attempt } = payment
  if (attempt?.state !== 'page') return
  if (attempt.found !== 'open' || nowMs >= attempt.endsMs) return leavePage(payment)
  attempt.checks += 1
  attempt.nextMs = Math.min(nowMs + (looks[attempt.checks] ?? 300 * secondMs), attempt.endsMs)
}

/** The page is closed, or what was decided on it is heard. */
export function leavePage(payment: ModelPayment): void {
  const { attempt } = payment
  if (attempt?.state !== 'page') return
  payment.attempt = undefined
  if (attempt.found === 'charged') charged(payment)
  if (attempt.found === 'declined') declined(payment)
}

/** Asked for and not failed. */
export function reserved({ refundedMinor, openRefunds }: ModelPayment): bigint {
  return openRefunds.reduce((sum, { amount }) => sum + amount, refundedMinor)
}

export function wentBack(payment: ModelPayment, amount: bigint, paid: bigint): void {
  payment.refundedMinor += amount
  if (payment.refundedMinor === paid) payment.state = 'refunded'
}

const keyMemoryMs = 23 * 3_600 * secondMs

/** One after the other; one whose answer is not due holds up those behind it. */
export function workOnRefunds(payment: ModelPayment, nowMs: number, paid: bigint): void {
  for (let [first] = payment.openRefunds; first && nowMs >= first.dueMs; [first] = payment.openRefunds) {
    payment.openRefunds.shift()
    // The network has forgotten the key: it is only asked, and never got it.
    const isLost = !first.isThere && first.sentMs !== undefined && nowMs - first.sentMs >= keyMemoryMs
    if (!isLost) wentBack(payment, first.amount, paid)
  }
}
