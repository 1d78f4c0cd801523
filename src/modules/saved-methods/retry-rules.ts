import type { DeclineReason } from '../../core/networks/connector.ts'
import type { ChargeFailure, ShownChargeFailure } from '../../core/payments/saving/saving.ts'

// What a declined charge means for the next one. Card schemes fine merchants who charge a card again after a hard decline, or
// too often after soft ones: Visa allows 15 tries in 30 days. The table holds the limit; these are the waits.

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** After the first, the second and every later soft decline since the last success. */
export const softWaitsMs = [hourMs, dayMs, 3 * dayMs] as const

export const triesMax = 15
export const triesWithinMs = 30 * dayMs

/** The method must never be charged again. */
const hard: readonly DeclineReason[] = ['method_ended', 'expired_card']

export function failureOf(reason: DeclineReason): ChargeFailure {
  if (hard.includes(reason)) return 'method_ended'
  return reason === 'needs_customer' || reason === 'network_silent' ? reason : 'declined'
}

/** `tries`: the times of all charges since the last success, this one included. */
export function judgeDecline(reason: DeclineReason, tries: readonly string[], now: Date): ShownChargeFailure {
  const code = failureOf(reason)
  if (code === 'method_ended' || code === 'needs_customer') return { code, reason, mayRetry: false }
  if (code === 'network_silent') return { code, reason, mayRetry: true }
  return { code, reason, mayRetry: true, retryAfter: retryAt(tries, now).toISOString() }
}

function retryAt(tries: readonly string[], now: Date): Date {
  const waitMs = softWaitsMs[Math.min(tries.length, softWaitsMs.length) - 1] ?? softWaitsMs[0]
  const afterWait = now.getTime() + waitMs
  const [oldest] = tries
  if (tries.length < triesMax || oldest === undefined) return new Date(afterWait)
  return new Date(Math.max(afterWait, Date.parse(oldest) + triesWithinMs))
}
