import type { Database } from '../../database/database.ts'
import type { Mode } from '../../merchants/mode.ts'
import { addFigures, noFigures, type Figures } from './tally.ts'
import { readTotals, type TotalRow } from './total-store.ts'

// What a merchant's payments came to on each of the last days. Costs the same with ten payments and with ten million: it
// reads one row per day and currency, and the changes of the last seconds.

export type { Figures, TotalRow }

export type DayTotals = Figures & { readonly day: string }
export type CurrencyTotals = {
  readonly currency: string
  /** Oldest first, the last one is today; days without anything too. */
  readonly days: readonly DayTotals[]
  readonly sum: Figures
}

/** Days of UTC, those of the currency with the most payments first. */
export async function readDailyTotals(
  db: Database,
  of: { merchantId: number; mode: Mode; days: number; now: Date },
): Promise<CurrencyTotals[]> {
  const days = lastDays(of.days, of.now)
  const rows = await readTotals(db, { merchantId: of.merchantId, mode: of.mode, from: days[0] ?? '' })
  const totals = [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const byDay = new Map(ofCurrency.map((row) => [row.day, figuresOf(row)]))
    const filled = days.map((day) => ({ day, ...(byDay.get(day) ?? noFigures) }))
    return { currency, days: filled, sum: filled.reduce(addFigures, noFigures) }
  })
  return totals.toSorted((one, other) => Number(other.sum.paid - one.sum.paid))
}

function lastDays(count: number, now: Date): string[] {
  const dayMs = 86_400_000
  return Array.from({ length: count }, (_, place) =>
    new Date(now.getTime() - (count - 1 - place) * dayMs).toISOString().slice(0, 10),
  )
}

function figuresOf(row: TotalRow): Figures {
  return {
    paid: row.paid,
    paidMinor: row.paid_minor,
    unpaid: row.unpaid,
    refunds: row.refunds,
    refundedMinor: row.refunded_minor,
    reversed: row.reversed,
    reversedMinor: row.reversed_minor,
  }
}
