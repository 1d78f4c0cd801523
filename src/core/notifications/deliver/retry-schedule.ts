// When a delivery is tried again. Ten tries over some three days: long enough for a weekend without anybody at the
// receiver's end, and rare enough at the end not to be a burden.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The pauses between tries: the first one is made at once. */
export const pausesMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** So that a receiver that comes back is not met by everything at the same moment. */
const jitter = 0.1
const retryAfterMaxMs = 24 * hour

/** The time of the next try after the failed one at `step`; undefined when the tries are used up. */
export function nextTryAt(
  step: number,
  now: Date,
  retryAfter: string | undefined,
  random: () => number = Math.random,
): Date | undefined {
  const pause = pausesMs[step]
  if (pause === undefined) return undefined
  const spread = pause * (1 - jitter + 2 * jitter * random())
  return new Date(now.getTime() + Math.max(spread, readRetryAfter(retryAfter, now)))
}

/** Milliseconds that the receiver asks for, as seconds or as a date; 0 for anything else. */
export function readRetryAfter(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  const text = header.trim()
  const ms = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), retryAfterMaxMs) : 0
}
