import type { Database } from '../../../platform/database/database.ts'
import { addDays, startOfDay } from '../../merchants/brand/end-of-day.ts'
import type { Mode } from '../../merchants/mode.ts'
import { addFigures, noFigures, type Figures } from './tally.ts'
import { readTotals, type SpanRow, type TotalRow } from './total-store.ts'

// A merchant's totals for each day of a period, in the shop's time zone. Costs the same with ten payments and with ten
// million: it reads a row for each quarter of an hour with payments, and the changes of the last seconds.

export type { Figures, TotalRow }

export type DayTotals = Figures & { readonly day: string }
export type CurrencyTotals = {
  readonly currency: string
  /** Oldest first; days without anything too. */
  readonly days: readonly DayTotals[]
  readonly sum: Figures
}

/** From one day to another, both included. */
export type Period = { readonly from: string; readonly to: string }

export type Scope = { readonly merchantId: number; readonly mode: Mode; readonly timeZone: string }

/** The currency with the most payments first. */
export async function readDailyTotals(db: Database, of: Period & Scope): Promise<CurrencyTotals[]> {
  const { merchantId, mode } = of
  return fill(daysOf(of), await readTotals(db, { merchantId, mode, moments: momentsOf(of) }))
}

/** For one day, by the hour: `day` is when the hour began, such as 09:00. */
export async function readHourlyTotals(db: Database, of: Scope & { day: string }): Promise<CurrencyTotals[]> {
  const [start, end] = [startOfDay(of.day, of.timeZone), startOfDay(addDays(of.day, 1), of.timeZone)]
  const moments: Date[] = []
  // By the shop's clock a day may have 23 or 25 hours.
  for (let at = start.getTime(); at < end.getTime(); at += 3_600_000) moments.push(new Date(at))
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: of.timeZone })
  const hours = moments.map((at) => clock.format(at))
  return fill(
    hours,
    await readTotals(db, { merchantId: of.merchantId, mode: of.mode, moments: [...moments, end] }),
  )
}

function fill(names: readonly string[], rows: readonly SpanRow[]): CurrencyTotals[] {
  const totals = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const bySpan = new Map(ofCurrency.map((row) => [row.span, figuresOf(row)]))
    const filled = names.map((day, index) => ({ day, ...(bySpan.get(index + 1) ?? noFigures) }))
    return { currency, days: filled, sum: sumOf(filled) }
  })
  return totals.toSorted((one, other) => Number(other.sum.paid - one.sum.paid))
}

export function sumOf(days: readonly Figures[]): Figures {
  return days.reduce((sum, day) => addFigures(sum, day), noFigures)
}

/** When each day of a period begins, and when the last one ends. */
export function momentsOf(of: Period & Pick<Scope, 'timeZone'>): Date[] {
  return [...daysOf(of), addDays(of.to, 1)].map((day) => startOfDay(day, of.timeZone))
}

export function daysOf({ from, to }: Period): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

function figuresOf(row: SpanRow): Figures {
  return {
    paid: row.paid,
    paidMinor: row.paid_minor,
    feeMinor: row.fee_minor,
    unpaid: row.unpaid,
    refunds: row.refunds,
    refundedMinor: row.refunded_minor,
    reversed: row.reversed,
    reversedMinor: row.reversed_minor,
  }
}
