import { isOpen, type DisputeState } from '../../core/payments/disputed/dispute-view.ts'

// When a network is asked about a dispute by itself. Its callbacks make it sooner; without any, a decision is known within
// hours, and disputes take weeks.

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const pausesMs = [minuteMs, 10 * minuteMs, hourMs] as const
export const longestPauseMs = 6 * hourMs
/** No bank takes longer: a person must look. */
const endMs = 270 * 24 * hourMs

/** Null: it is over, or it was asked about for long enough. One that is won is asked about until the money is back. */
export function nextCheckAt(
  dispute: { state: DisputeState; moneyTaken: boolean; checks: number; openedAt: Date },
  now: Date,
): Date | null {
  const { state, moneyTaken, checks, openedAt } = dispute
  const isOver = !isOpen(state) && !(state === 'won' && moneyTaken)
  if (isOver || now.getTime() - openedAt.getTime() >= endMs) return null
  return new Date(now.getTime() + (pausesMs[checks] ?? longestPauseMs))
}
