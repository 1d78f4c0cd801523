import type { Database } from '../../../platform/database/database.ts'
import type { MoneySums } from '../../../platform/money/money-words.ts'
import {
  daysOf,
  momentsOf,
  readDailyTotals,
  type DayTotals,
  type Figures,
  type Period,
  type Scope,
} from '../../../core/payments/daily-totals/daily-totals.ts'
import { addFigures, noFigures } from '../../../core/payments/daily-totals/tally.ts'
import { readNotReported, type NotReported } from '../../../core/payments/daily-totals/not-reported.ts'
import { sumFees } from './fee-store.ts'

// What a shop earned on each day of a period, in its time zone: what moved by our own records, what networks charged by
// their bookings. Costs the same with ten payments and with ten million.

export type { NotReported }
export { feesOfFound } from '../line-store.ts'

export type MoneyFigures = Figures & {
  /** With the tax on them, on the day on which they were booked. */
  readonly networkFeesMinor: bigint
  readonly feeTaxMinor: bigint
}
export type DayMoney = MoneyFigures & { readonly day: string }
export type CurrencyMoney = {
  readonly currency: string
  /** Oldest first; days without anything too. */
  readonly days: readonly DayMoney[]
}

export const noMoney: MoneyFigures = { ...noFigures, networkFeesMinor: 0n, feeTaxMinor: 0n }

/** The currency with the most payments first. */
export async function readMoney(db: Database, of: Period & Scope): Promise<CurrencyMoney[]> {
  const { merchantId, mode } = of
  const moments = momentsOf(of)
  const [totals, fees] = await Promise.all([
    readDailyTotals(db, of),
    sumFees(db, { merchantId, mode, moments }),
  ])
  const days = daysOf(of)
  const currencies = new Set([...totals, ...fees].map(({ currency }) => currency))
  return [...currencies].map((currency) => {
    const moved = totals.find((one) => one.currency === currency)?.days
    const charged = new Map(fees.filter((row) => row.currency === currency).map((row) => [row.span, row]))
    return {
      currency,
      days: days.map((day, place): DayMoney => {
        const { fee_minor: fee = 0n, tax_minor: tax = 0n } = charged.get(place + 1) ?? {}
        const figures: DayTotals = moved?.[place] ?? { day, ...noFigures }
        return { ...figures, networkFeesMinor: fee + tax, feeTaxMinor: tax }
      }),
    }
  })
}

export function sumMoney(days: readonly MoneyFigures[]): MoneyFigures {
  return days.reduce(
    (sum, day) => ({
      ...addFigures(sum, day),
      networkFeesMinor: sum.networkFeesMinor + day.networkFeesMinor,
      feeTaxMinor: sum.feeTaxMinor + day.feeTaxMinor,
    }),
    noMoney,
  )
}

/** In our words for money. */
export function moneyOf(figures: MoneyFigures): MoneySums {
  return {
    grossMinor: figures.paidMinor,
    refundsMinor: figures.refundedMinor,
    disputesMinor: figures.reversedMinor,
    networkFeesMinor: figures.networkFeesMinor,
  }
}

export function hasMoney(figures: MoneyFigures): boolean {
  return Object.values(figures).some((figure) => figure !== 0n)
}

/** Payments of the period whose networks have not reported their fees. */
export async function readMissingFees(
  db: Database,
  of: Period & Scope & { readonly currency?: string },
): Promise<NotReported[]> {
  const [from, to] = [momentsOf({ ...of, to: of.from })[0], momentsOf({ ...of, from: of.to }).at(-1)]
  if (!from || !to) throw new Error('A period has no end')
  return readNotReported(db, { ...of, from: from.toISOString(), to: to.toISOString() })
}
