import { addDays, dayAt } from '../../core/merchants/brand/end-of-day.ts'

// Periods that people choose, in days of the shop's time zone.

/** Both days included. */
export type Days = { readonly from: string; readonly to: string }

export const periodNames = ['today', '7', '30', 'month', 'last_month', 'last_quarter', 'year'] as const
export type PeriodName = (typeof periodNames)[number] | 'own'

export type Period = Days & {
  readonly name: PeriodName
  /** As many days, right before; of a month, quarter or year, the one before, as far as this one goes. */
  readonly before: Days
}

/** A year and a leap day. */
const daysMax = 366

/** Without a period in the query, or with one that makes no sense: the last 30 days. */
export function readPeriod(query: Readonly<Record<string, string>>, now: Date, timeZone: string): Period {
  const today = dayAt(now, timeZone)
  const own = ownDays(query['from'] ?? '', query['to'] ?? '', today)
  if (own) return { name: 'own', ...own, before: daysBefore(own) }
  const name = periodNames.find((one) => one === query['period']) ?? '30'
  if (name === 'month') {
    const from = `${today.slice(0, 8)}01`
    return { name, from, to: today, before: sameDaysOfMonthBefore(from, today) }
  }
  if (name === 'last_month' || name === 'last_quarter') {
    const months = name === 'last_month' ? 1 : 3
    const days = monthsBefore(now, timeZone, months)
    return { name, ...days, before: monthsBefore(new Date(`${days.from}T12:00:00Z`), 'UTC', months) }
  }
  if (name === 'year')
    return { name, from: `${today.slice(0, 4)}-01-01`, to: today, before: yearBefore(today) }
  const days = { from: addDays(today, name === 'today' ? 0 : 1 - Number(name)), to: today }
  return { name, ...days, before: daysBefore(days) }
}

function ownDays(one: string, other: string, today: string): Days | undefined {
  if (!isDay(one) && !isDay(other)) return undefined
  const [from = today, to = today] = [isDay(one) ? one : other, isDay(other) ? other : today].toSorted()
  const first = addDays(to, 1 - daysMax)
  return { from: from < first ? first : from, to }
}

function isDay(text: string): boolean {
  return /^(?:19|20)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

export function countDays({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
}

function daysBefore(days: Days): Days {
  return { from: addDays(days.from, -countDays(days)), to: addDays(days.from, -1) }
}

function sameDaysOfMonthBefore(from: string, to: string): Days {
  const last = addDays(from, -1)
  const first = `${last.slice(0, 8)}01`
  const same = `${last.slice(0, 8)}${to.slice(8)}`
  return { from: first, to: same < last ? same : last } // No test: when both are equal, either is right
}

function yearBefore(today: string): Days {
  const year = String(Number(today.slice(0, 4)) - 1)
  const day = today.slice(5) === '02-29' ? '02-28' : today.slice(5)
  return { from: `${year}-01-01`, to: `${year}-${day}` }
}

/** Whole months: the month before, or the three months of the quarter before. */
export function monthsBefore(now: Date, timeZone: string, count: 1 | 3): Days {
  const [year = 0, month = 0] = dayAt(now, timeZone).split('-').map(Number)
  const end = count === 1 ? month - 1 : Math.floor((month - 1) / 3) * 3
  const dayOf = (at: number, day: number): string =>
    new Date(Date.UTC(year, at, day)).toISOString().slice(0, 10)
  return { from: dayOf(end - count, 1), to: dayOf(end, 0) }
}

const long = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function formatDay(day: string, how: 'long' | 'short' = 'short'): string {
  return (how === 'long' ? long : short).format(new Date(`${day}T00:00:00Z`))
}

export function formatDays({ from, to }: Days, how: 'long' | 'short' = 'short'): string {
  return from === to ? formatDay(from, how) : `${formatDay(from, how)} – ${formatDay(to, how)}`
}
