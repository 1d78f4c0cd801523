import {
  readHourlyTotals,
  type CurrencyTotals,
  type DayTotals,
} from '../../../core/payments/daily-totals/daily-totals.ts'
import { readMax, readReasons, readTopProjects, type ReasonRow } from '../period-figures.ts'
import {
  hasMoney,
  readMissingFees,
  readMoney,
  sumMoney,
  type CurrencyMoney,
  type DayMoney,
  type MoneyFigures,
  type NotReported,
} from '../../payouts/figures/money-totals.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { readParts, type DashboardPart, type TopRow } from '../../../dashboard/slots.ts'
import { beginningOf, endingOf } from '../../../dashboard/list-filter.ts'
import { countDays, type Days, type Period } from '../../../dashboard/parts/period.ts'

// The figures of a period beside those of the period before.

export type Compared = {
  readonly currency: string
  readonly sum: MoneyFigures
  readonly before: MoneyFigures
  readonly days: readonly DayMoney[]
  /** The bars of the chart: days, or the hours of a single day. */
  readonly spans: readonly DayTotals[]
  readonly spansBefore: readonly DayTotals[]
}

export type HomeFigures = {
  /** The currency with the most payments first. Empty: nothing happened in the period. */
  readonly currencies: readonly Compared[]
  readonly shown: Compared | undefined
  /** Payments whose fees are missing from the sums. */
  readonly missing: readonly NotReported[]
  /** Of the currency that is shown. */
  readonly reasons: readonly ReasonRow[]
  readonly projects: readonly TopRow[]
  readonly links: readonly TopRow[]
  /** False: reasons, projects and links count the newest payments of the period only. */
  readonly isWhole: boolean
}

export async function readFigures(
  ask: MemberAsk,
  period: Period,
  parts: readonly DashboardPart[],
): Promise<HomeFigures> {
  const { merchant, mode } = ask.place
  const { db } = ask.core
  const { timeZone } = merchant.brand
  const of = { merchantId: merchant.id, mode, timeZone }
  const [all, missing] = await Promise.all([
    readMoney(db, { ...of, from: period.before.from, to: period.to }),
    readMissingFees(db, { ...of, from: period.from, to: period.to }),
  ])
  const compared = all.map((one) => compare(one, period)).filter(({ sum }) => hasMoney(sum))
  const currencies = compared.toSorted((one, other) => Number(other.sum.paid - one.sum.paid))
  const chosen = currencies.find(({ currency }) => currency === ask.query['currency']) ?? currencies[0]
  if (!chosen)
    return { currencies, shown: chosen, missing, reasons: [], projects: [], links: [], isWhole: true }
  const asked = {
    ...of,
    currency: chosen.currency,
    endedFrom: beginningOf(period.from, timeZone),
    endedTo: endingOf(period.to, timeZone),
  }
  const [reasons, projects, links, shown] = await Promise.all([
    chosen.sum.unpaid === 0n ? [] : readReasons(db, asked),
    readTopProjects(db, asked),
    readParts(parts, (part) => part.topLinks?.(db, asked)).then((lists) => lists.flat()),
    countDays(period) === 1 ? byHour(ask, chosen, period) : chosen,
  ])
  const isWhole = chosen.sum.paid <= BigInt(readMax) && chosen.sum.unpaid <= BigInt(readMax)
  return { currencies, shown, missing, reasons, projects, links, isWhole }
}

function compare({ currency, days }: CurrencyMoney, period: Period): Compared {
  const within = ({ from, to }: Days): DayMoney[] => days.filter(({ day }) => day >= from && day <= to)
  const [now, before] = [within(period), within(period.before)]
  return {
    currency,
    sum: sumMoney(now),
    before: sumMoney(before),
    days: now,
    spans: now,
    spansBefore: before,
  }
}

async function byHour(ask: MemberAsk, one: Compared, { from, before }: Period): Promise<Compared> {
  const { merchant, mode } = ask.place
  const of = { merchantId: merchant.id, mode, timeZone: merchant.brand.timeZone }
  const [now, earlier] = await Promise.all(
    [from, before.from].map(async (day) => readHourlyTotals(ask.core.db, { ...of, day })),
  )
  const spansOf = (totals: readonly CurrencyTotals[] | undefined): readonly DayTotals[] =>
    totals?.find(({ currency }) => currency === one.currency)?.days ?? []
  return { ...one, spans: spansOf(now), spansBefore: spansOf(earlier) }
}
