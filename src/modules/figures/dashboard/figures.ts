import { html, type Html } from '../../../platform/http/html.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import { moneyWords, netOf } from '../../../platform/money/money-words.ts'
import type { Figures } from '../../../core/payments/daily-totals/daily-totals.ts'
import {
  moneyOf,
  type DayMoney,
  type MoneyFigures,
  type NotReported,
} from '../../payouts/figures/money-totals.ts'
import { describeNotReported } from '../../payouts/figures/describe-not-reported.ts'
import { addressOf, table } from '../../../dashboard/parts/lists.ts'
import { formatDay, formatDays, type Days, type Period } from '../../../dashboard/parts/period.ts'
import { drawChart, type Bar } from './chart.ts'
import type { Compared } from './read-figures.ts'

// What a period came to: a chart of one currency, and a table of all of them. Each figure links to what it is made of.

/** Where lists of a period are. */
export type Lists = (
  days: Days,
  currency?: string,
) => Readonly<Record<'paid' | 'unpaid' | 'refunds' | 'disputes', string>>

export function listsOf(home: string): Lists {
  return ({ from, to }, currency) => ({
    paid: addressOf(`${home}/payments`, { state: 'paid', currency, by: 'end', from, to }),
    unpaid: addressOf(`${home}/payments`, { state: 'unpaid', currency, by: 'end', from, to }),
    refunds: addressOf(`${home}/refunds`, { status: 'succeeded', currency, by: 'done', from, to }),
    disputes: addressOf(`${home}/payments`, { state: 'reversed', currency, by: 'reversed', from, to }),
  })
}

export function drawVolume(shown: Compared, period: Period, lists: Lists, today: string): Html {
  const money = (minor: bigint): string => displayAmount(minor, shown.currency, 'en-GB')
  const isByHour = period.from === period.to
  const largest = [...shown.spans, ...shown.spansBefore].reduce(
    (most, { paidMinor }) => (paidMinor > most ? paidMinor : most),
    0n,
  )
  const share = (minor: bigint): number => (largest > 0n ? Number((minor * 10_000n) / largest) / 10_000 : 0)
  const name = (day: string): string => (isByHour ? day : formatDay(day))
  const bars = shown.spans.map(({ day, paidMinor }, place): Bar => {
    const earlier = shown.spansBefore[place]
    const then =
      earlier && `${isByHour ? 'the day before' : formatDay(earlier.day)}: ${money(earlier.paidMinor)}`
    return {
      label: name(day),
      says: [`${name(day)}: ${money(paidMinor)}`, then].filter(Boolean).join('; '),
      share: share(paidMinor),
      before: share(earlier?.paidMinor ?? 0n),
    }
  })
  const most = shown.spans.toSorted((one, other) => Number(other.paidMinor - one.paidMinor))[0]
  const best =
    most && most.paidMinor > 0n
      ? `Most ${isByHour ? 'at' : 'on'} ${name(most.day)}: ${money(most.paidMinor)}`
      : 'Nothing in this period'
  return html`<section class="figure-of-days card" aria-labelledby="volume">
    <h2 id="volume">Paid by customers</h2>
    <p class="large"><a href="${lists(period, shown.currency).paid}">${money(shown.sum.paidMinor)}</a></p>
    <p class="quiet small"><span>${counted(shown.sum.paid, 'payment')}</span><span>${describeChange(shown, money, period)}</span></p>
    ${drawChart({
      title: isByHour ? 'Paid in each hour' : 'Paid on each day',
      summary: best,
      bars,
      top: largest > 0n ? money(largest) : '',
      last: isByHour ? (bars.at(-1)?.label ?? '') : period.to === today ? 'Today' : formatDay(period.to),
    })}
    <p class="quiet small legend" aria-hidden="true">
      <span><i class="this"></i>${formatDays(period)}</span><span><i class="that"></i>${formatDays(period.before)}</span>
    </p>
  </section>`
}

function describeChange({ sum, before }: Compared, money: (minor: bigint) => string, period: Period): string {
  const then = formatDays(period.before)
  if (before.paidMinor === 0n) return `Nothing paid ${then}`
  const tenths = ((sum.paidMinor - before.paidMinor) * 1_000n) / before.paidMinor
  const size = Number(tenths < 0n ? -tenths : tenths) / 10
  const change =
    tenths === 0n ? 'As much as' : `${size.toLocaleString('en-GB')}% ${tenths > 0n ? 'more' : 'less'} than`
  return `${change} ${then} (${money(before.paidMinor)})`
}

export function drawMoney(currencies: readonly Compared[], period: Period, lists: Lists): Html {
  const figure = (
    label: string,
    minor: (sum: MoneyFigures) => bigint,
    to: 'paid' | 'refunds' | 'disputes',
    count?: (sum: Figures) => string,
  ) => ({
    label,
    isFigure: true,
    draw: ({
      currency,
      sum,
    }: Compared) => html`<span class="counted"><a href="${lists(period, currency)[to]}">${displayAmount(minor(sum), currency, 'en-GB')}</a>
      ${count && html`<span class="quiet small">${count(sum)}</span>`}</span>`,
  })
  const payments = (sum: Figures): string => counted(sum.paid, 'payment')
  const refunds = (sum: Figures): string => counted(sum.refunds, 'refund')
  const disputes = (sum: Figures): string => counted(sum.reversed, 'dispute')
  return table<Compared>({
    label: 'Money in this period',
    rows: currencies,
    columns: [
      { label: 'Currency', draw: ({ currency }) => html`<b>${currency}</b>` },
      figure(moneyWords.gross, ({ paidMinor }) => paidMinor, 'paid', payments),
      figure(moneyWords.refunds, ({ refundedMinor }) => -refundedMinor, 'refunds', refunds),
      figure(moneyWords.disputes, ({ reversedMinor }) => -reversedMinor, 'disputes', disputes),
      {
        label: moneyWords.networkFees,
        isFigure: true,
        draw: ({ currency, sum }) => displayAmount(-sum.networkFeesMinor, currency, 'en-GB'),
      },
      {
        label: moneyWords.net,
        isFigure: true,
        draw: ({ currency, sum }) => html`<b>${displayAmount(netOf(moneyOf(sum)), currency, 'en-GB')}</b>`,
      },
    ],
    ...(currencies.length > 1 && { sum: sumRow(currencies, lists(period), { payments, refunds, disputes }) }),
  })
}

type Counts = Readonly<Record<'payments' | 'refunds' | 'disputes', (sum: Figures) => string>>

/** Amounts of different currencies don't add up, counts do. */
function sumRow(currencies: readonly Compared[], to: ReturnType<Lists>, words: Counts): (Html | string)[] {
  const all = currencies.reduce(
    (sum, one) => ({
      ...sum,
      paid: sum.paid + one.sum.paid,
      refunds: sum.refunds + one.sum.refunds,
      reversed: sum.reversed + one.sum.reversed,
    }),
    { paid: 0n, refunds: 0n, reversed: 0n } as Figures,
  )
  return [
    html`<b>All</b>`,
    html`<a href="${to.paid}">${words.payments(all)}</a>`,
    html`<a href="${to.refunds}">${words.refunds(all)}</a>`,
    html`<a href="${to.disputes}">${words.disputes(all)}</a>`,
    '',
    '',
  ]
}

/** What is missing from the sums, and what is no part of them. */
export function drawAside(
  currencies: readonly Compared[],
  missing: readonly NotReported[],
  nameOf: (network: string) => string,
): Html | undefined {
  const charged = currencies.filter(({ sum }) => sum.feeMinor !== 0n)
  if (missing.length === 0 && charged.length === 0) return undefined
  return html`<ul class="aside-money quiet small">
    ${missing.map((one) => html`<li>${describeNotReported(one, nameOf)}</li>`)}
    ${charged.map(
      ({ currency, sum }) =>
        html`<li>${moneyWords.platformFee} ${displayAmount(sum.feeMinor, currency, 'en-GB')}, not in net</li>`,
    )}
  </ul>`
}

/** Every day as a table, newest first, with a sum. */
export function drawDays({ currency, days, sum }: Compared, lists: Lists): Html {
  const money = (minor: bigint): string => displayAmount(minor, currency, 'en-GB')
  const columns = [
    { label: 'Day', draw: ({ day }: DayMoney) => formatDay(day) },
    { label: moneyWords.gross, draw: (day: DayMoney) => money(day.paidMinor), isFigure: true },
    { label: moneyWords.refunds, draw: (day: DayMoney) => money(-day.refundedMinor), isFigure: true },
    { label: moneyWords.disputes, draw: (day: DayMoney) => money(-day.reversedMinor), isFigure: true },
    { label: moneyWords.networkFees, draw: (day: DayMoney) => money(-day.networkFeesMinor), isFigure: true },
    { label: moneyWords.net, draw: (day: DayMoney) => money(netOf(moneyOf(day))), isFigure: true },
    { label: 'Paid', draw: (day: DayMoney) => String(day.paid), isFigure: true },
    { label: 'Not paid', draw: (day: DayMoney) => String(day.unpaid), isFigure: true },
  ]
  const whole = { ...sum, day: '' }
  return html`<details class="days">
    <summary>Show each day as a table</summary>
    ${table<DayMoney>({
      label: `Each day in ${currency}, newest first`,
      columns,
      rows: days.toReversed(),
      to: ({ day }) => lists({ from: day, to: day }, currency).paid,
      sum: columns.map(({ draw }, place) => html`<b>${place === 0 ? 'All' : draw(whole)}</b>`),
    })}
  </details>`
}

const numbers = new Intl.NumberFormat('en-GB')

export function counted(count: bigint, what: string): string {
  return `${numbers.format(count)} ${what}${count === 1n ? '' : 's'}`
}
