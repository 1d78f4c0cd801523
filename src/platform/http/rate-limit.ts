import type { FastifyReply } from 'fastify'
import { Refusal } from '../errors/refusals.ts'

// Token buckets in memory, one per name (a key's id, an address). A bucket is two numbers, refilled when it is
// looked at: no timers. Each server counts for itself, so with n servers a key may reach n times the limit, unless the limit
// is divided among them.

export type RateLimit = {
  /** Undefined when allowed, else the seconds to wait. */
  take(name: string): number | undefined
  /** The RateLimit-Policy header: so many requests, and in how many seconds all of them are back. */
  readonly policy: string
  /** The RateLimit header: how many are left, and after how many seconds all are back. */
  left(name: string): string
}

type Bucket = { tokens: number; atMs: number }

const bucketsMax = 100_000
const policyName = 'requests'

export function makeRateLimit(
  whole: { perSecond: number; burst: number },
  now: () => number = Date.now,
  /** Among how many servers the limit is divided. */
  among: () => number = () => 1,
): RateLimit {
  const limit = {
    get perSecond() {
      return whole.perSecond / among()
    },
    // Less than one would never let anyone pass.
    get burst() {
      return Math.max(1, whole.burst / among())
    },
  }
  const buckets = new Map<string, Bucket>()

  function refill(name: string): Bucket {
    const time = now()
    const bucket = buckets.get(name)
    if (!bucket) {
      if (buckets.size >= bucketsMax) forgetFull(time)
      const fresh = { tokens: limit.burst, atMs: time }
      buckets.set(name, fresh)
      return fresh
    }
    const earned = (Math.max(0, time - bucket.atMs) * limit.perSecond) / 1000
    bucket.tokens = Math.min(limit.burst, bucket.tokens + earned)
    bucket.atMs = time
    return bucket
  }

  /** A full bucket is the same as none, so those go first. If that makes no room, all callers start afresh. */
  function forgetFull(time: number): void {
    const fullAfterMs = (limit.burst / limit.perSecond) * 1000
    for (const [name, bucket] of buckets) if (time - bucket.atMs >= fullAfterMs) buckets.delete(name)
    if (buckets.size >= bucketsMax) buckets.clear() // No test: the exact number is no promise
  }

  function secondsUntilOne(bucket: Bucket): number | undefined {
    return bucket.tokens >= 1 ? undefined : Math.max(1, Math.ceil((1 - bucket.tokens) / limit.perSecond))
  }

  return {
    take(name) {
      const bucket = refill(name)
      const seconds = secondsUntilOne(bucket)
      if (seconds === undefined) bucket.tokens -= 1
      return seconds
    },
    policy: `"${policyName}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`,
    left(name) {
      const { tokens } = refill(name)
      const seconds = Math.ceil((limit.burst - tokens) / limit.perSecond)
      return `"${policyName}";r=${Math.floor(tokens)};t=${seconds}`
    },
  }
}

/** One request of a key. The answer says what is left, also when it is a refusal (draft-ietf-httpapi-ratelimit-headers). */
export function spendRequest(limit: RateLimit, name: string, reply: FastifyReply): void {
  const seconds = limit.take(name)
  void reply.header('ratelimit-policy', limit.policy).header('ratelimit', limit.left(name))
  refuseIfWaiting(seconds)
}

/**
 * A caller that asks for many things that don't exist is guessing. Existing things are always answered: guessing must
 * not lock out others who share the address. A miss is counted once it is known to be one, so of many simultaneous
 * guesses only as many are answered as the limit allows.
 */
export async function limitMisses<T>(limit: RateLimit, guesser: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') refuseIfWaiting(limit.take(guesser))
    throw error
  }
}

/** Throws the refusal of a caller that has to wait. */
export function refuseIfWaiting(seconds: number | undefined): void {
  if (seconds === undefined) return
  const message = `Too many requests, try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  throw new Refusal('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}
