import { Refusal } from '../errors/refusals.ts'

// Token buckets in memory, one per name (a key's id, an address). A bucket is two numbers, refilled when it is
// looked at: no timers. Each server counts for itself, so with n servers a key may reach n times the limit.

export type RateLimit = {
  /** Undefined when allowed, else the seconds to wait. */
  take(name: string): number | undefined
  /** As take, but spends nothing: for limits that count only what went wrong. */
  wait(name: string): number | undefined
}

type Bucket = { tokens: number; atMs: number }

const bucketsMax = 100_000

export function makeRateLimit(
  limit: { perSecond: number; burst: number },
  now: () => number = Date.now,
): RateLimit {
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
    if (buckets.size >= bucketsMax) buckets.clear()
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
    wait(name) {
      return secondsUntilOne(refill(name))
    },
  }
}

/** Who asks for much that does not exist is guessing: only misses are counted, by address. */
export async function limitMisses<T>(limit: RateLimit, address: string, find: () => Promise<T>): Promise<T> {
  refuseIfWaiting(limit.wait(address))
  try {
    return await find()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') limit.take(address)
    throw error
  }
}

/** Throws the refusal of a caller that has to wait. */
export function refuseIfWaiting(seconds: number | undefined): void {
  if (seconds === undefined) return
  const message = `Too many requests, try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  throw new Refusal('rate_limited', message, { headers: { 'retry-after': String(seconds) } })
}
