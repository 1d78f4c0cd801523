import type { AttemptState } from '../state-machine.ts'

// When an attempt that is in flight is looked at, counted from the moment it came into its state.

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** Whoever leaves the 3-D Secure page open for longer is taken to have walked away. */
export const challengeLimitMs = 15 * minuteMs
/** Twice a network call's limit: an attempt still started or submitted then lost its server. */
export const lostServerMs = 30 * secondMs

export const unknownChecksMs = [
  5 * secondMs,
  15 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
] as const
export const unknownChecksEndMs = 7 * 24 * hourMs
/** A debit needs up to two weeks, with a first one on a new mandate and holidays. */
export const debitChecksEndMs = 30 * 24 * hourMs

const firstCheckMs: Readonly<Record<AttemptState, number | undefined>> = {
  started: lostServerMs,
  action_required: challengeLimitMs,
  submitted: lostServerMs,
  unknown: unknownChecksMs[0],
  succeeded: undefined,
  declined: undefined,
  abandoned: undefined,
  held: undefined,
  surplus: 0,
  returned: undefined,
  left_open: minuteMs,
  not_sent: undefined,
}

/**
 * A check that is further ahead than this was put off by a clock that was wrong. It is due now: else a clock that ran
 * a day ahead for a minute would leave its attempts in flight for a day.
 */
export function furthestChecks(now: Date, leaseMs: number) {
  const after = (ms: number): Date => new Date(now.getTime() + leaseMs + clockSlackMs + ms)
  return {
    submitted: after(lostServerMs),
    challenge: after(challengeLimitMs),
    /** By how many checks there were. */
    unknown: unknownChecksMs.map(after),
    leftOpen: after(leftOpenLastMs),
  }
}

/** A page that can't be closed is asked for less and less often: the network's callback comes first as a rule. */
const leftOpenChecksMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, 6 * hourMs] as const
const leftOpenLastMs = 24 * hourMs

/** Servers whose clocks differ by a few seconds are not wrong. */
const clockSlackMs = 5 * secondMs

export function firstCheckAt(state: AttemptState, now: Date): Date | null {
  const pauseMs = firstCheckMs[state]
  return pauseMs === undefined ? null : new Date(now.getTime() + pauseMs)
}

/** How long a network's own page can be paid on. Stripe's lives for half an hour at least. */
export const pageLifeMs = hourMs
/** A page that is opened in the last minutes of a payment can still be paid on for so long. */
export const pageLifeLeastMs = challengeLimitMs
/** While the customer is on the network's page: the delay after a lost callback, without asking too often. */
export const openPageChecksMs = [30 * secondMs, 30 * secondMs, minuteMs, 3 * minuteMs, 5 * minuteMs] as const
/** Once the customer came back, or did their part. */
export const afterReturnMs = 5 * secondMs
/** Networks forget idempotency keys, Stripe after a day: from then on nothing is sent again, only asked for. */
export const keyMemoryMs = 23 * hourMs

/** After `checks` looks at a page that was still open; at the latest at its end. */
export function nextPageCheckAt(checks: number, endsAt: Date | null, now: Date): Date {
  const last = openPageChecksMs[openPageChecksMs.length - 1] ?? minuteMs
  const next = new Date(now.getTime() + (openPageChecksMs[checks] ?? last))
  return endsAt && endsAt < next ? endsAt : next // No test: either of two equal times will do
}

/** After `checks` answers that decided nothing; null when the network had its time, seven days for most. */
export function nextCheckAt(
  checks: number,
  startedAt: Date,
  now: Date,
  endMs = unknownChecksEndMs,
): Date | null {
  if (now.getTime() - startedAt.getTime() >= endMs) return null
  return new Date(now.getTime() + (unknownChecksMs[checks] ?? hourMs))
}

/** After `checks` looks at a page that the customer left and that can still be paid on; null after a week. */
export function nextLeftOpenCheckAt(checks: number, leftAt: Date, now: Date): Date | null {
  if (now.getTime() - leftAt.getTime() >= unknownChecksEndMs) return null
  return new Date(now.getTime() + (leftOpenChecksMs[checks] ?? leftOpenLastMs))
}
