import { addDays, dayAt } from '../../../core/merchants/brand/end-of-day.ts'
import type { Period } from '../../../core/payments/daily-totals/daily-totals.ts'

export type Months = {
  /** The first day of the month that is over. */
  readonly month: string
  readonly over: Period
  readonly before: Period
}

/** Payments of the last minutes are counted by then, and nobody gets it at midnight. */
const afterMidnightMs = 6 * 3_600_000

/** The last month that is over in a time zone, and the one before. */
export function lastMonths(now: Date, timeZone: string): Months {
  const today = dayAt(new Date(now.getTime() - afterMidnightMs), timeZone)
  const first = firstOf(today)
  const over = { from: firstOf(addDays(first, -1)), to: addDays(first, -1) }
  const before = { from: firstOf(addDays(over.from, -1)), to: addDays(over.from, -1) }
  return { month: over.from, over, before }
}

function firstOf(day: string): string {
  return `${day.slice(0, 7)}-01`
}
