import { html, type Html } from '../../http/html.ts'
import { displayAmount } from '../../money/money.ts'
import type { CurrencyTotals, DayTotals, Figures } from '../../payments/daily-totals/daily-totals.ts'
import { table } from '../parts/lists.ts'
import { drawChart, type Bar } from './chart.ts'

// One currency's figures over days, with charts and a table.

export function drawFigures({ currency, days, sum }: CurrencyTotals): Html {
  const today = days.at(-1)
  const money = (minor: bigint): string => displayAmount(minor, currency, 'en-GB')
  return html`<div class="figures-of-days">
      ${drawFigure(
        'Volume',
        money(sum.paidMinor),
        counted(sum.paid, 'payment'),
        today && `Today ${money(today.paidMinor)}`,
        amounts('Volume', days, money, ({ paidMinor }) => paidMinor),
      )}
      ${drawFigure('Success rate', formatRate(sum), `of ${counted(sum.paid + sum.unpaid, 'finished payment')}`, today && `Today ${formatRate(today)}`, rates(days))}
      ${drawFigure(
        'Refunds',
        money(sum.refundedMinor),
        counted(sum.refunds, 'refund'),
        today && `Today ${money(today.refundedMinor)}`,
        amounts('Refunds', days, money, ({ refundedMinor }) => refundedMinor),
      )}
    </div>
    <details class="days">
      <summary>Show as a table</summary>
      ${drawTable(days, money)}
    </details>`
}

function drawFigure(
  title: string,
  figure: string,
  about: string,
  today: string | undefined,
  chart: Html,
): Html {
  return html`<section class="figure-of-days card">
    <h2>${title}</h2>
    <p class="large">${figure}</p>
    <p class="quiet small"><span>${about}</span>${today !== undefined && html`<span>${today}</span>`}</p>
    ${chart}
  </section>`
}

function amounts(
  title: string,
  days: readonly DayTotals[],
  money: (minor: bigint) => string,
  of: (day: DayTotals) => bigint,
): Html {
  const most = days.reduce((one, day) => (of(day) > of(one) ? day : one))
  const largest = of(most)
  const bars = days.map((day): Bar => {
    const share = largest > 0n ? Number((of(day) * 10_000n) / largest) / 10_000 : 0
    return { label: formatDay(day.day), says: `${formatDay(day.day)}: ${money(of(day))}`, share }
  })
  const summary =
    largest > 0n ? `Most on ${formatDay(most.day)}: ${money(largest)}` : 'Nothing in this period'
  return drawChart({
    title,
    summary,
    bars,
    top: largest > 0n ? `${money(largest)} on ${formatDay(most.day)}` : '',
  })
}

function rates(days: readonly DayTotals[]): Html {
  const bars = days.map((day): Bar => {
    const rate = rateOf(day)
    return { label: formatDay(day.day), says: `${formatDay(day.day)}: ${formatRate(day)}`, share: rate }
  })
  const known = days.filter((day) => rateOf(day) !== undefined)
  const lowest = known.toSorted((one, other) => (rateOf(one) ?? 0) - (rateOf(other) ?? 0))[0]
  const summary = lowest
    ? `Lowest on ${formatDay(lowest.day)}: ${formatRate(lowest)}`
    : 'No payments finished in this period'
  return drawChart({ title: 'Success rate', summary, bars, top: known.length > 0 ? '100%' : '' })
}

function drawTable(days: readonly DayTotals[], money: (minor: bigint) => string): Html {
  return table<DayTotals>({
    label: 'Each day, newest first',
    columns: [
      { label: 'Day', draw: ({ day }) => formatDay(day) },
      { label: 'Volume', draw: (day) => money(day.paidMinor), isFigure: true },
      { label: 'Paid', draw: (day) => String(day.paid), isFigure: true },
      { label: 'Not paid', draw: (day) => String(day.unpaid), isFigure: true },
      { label: 'Success', draw: formatRate, isFigure: true },
      { label: 'Refunds', draw: (day) => money(day.refundedMinor), isFigure: true },
      { label: 'Reversed', draw: (day) => money(day.reversedMinor), isFigure: true },
    ],
    rows: days.toReversed(),
  })
}

type Ended = Pick<Figures, 'paid' | 'unpaid'>

function rateOf({ paid, unpaid }: Ended): number | undefined {
  const ended = paid + unpaid
  return ended === 0n ? undefined : Number((paid * 10_000n) / ended) / 10_000
}

function formatRate(day: Ended): string {
  const rate = rateOf(day)
  if (rate === undefined) return '–'
  // Never rounded up: 99.96% must not read 100%.
  return rate === 1 ? '100%' : `${(Math.floor(rate * 1_000) / 10).toFixed(1)}%`
}

const dayNames = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })

function formatDay(day: string): string {
  return dayNames.format(new Date(`${day}T00:00:00Z`))
}

const numbers = new Intl.NumberFormat('en-GB')

function counted(count: bigint, what: string): string {
  return `${numbers.format(count)} ${what}${count === 1n ? '' : 's'}`
}
