import type { PersonEmail } from '../../../platform/outbound/person-email.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import { moneyWords, netOf } from '../../../platform/money/money-words.ts'
import { describeNotReported } from '../figures/describe-not-reported.ts'
import { hasMoney, moneyOf, type MoneyFigures, type NotReported } from '../figures/money-totals.ts'
import type { Months } from './months.ts'

// What came in last month, as bookkeepers ask for it. The figures are those of Home.

export type CurrencySum = { readonly currency: string; readonly sum: MoneyFigures }

export type Summary = {
  readonly merchantId: number
  readonly merchantName: string
  readonly baseUrl: string
  readonly months: Months
  readonly over: readonly CurrencySum[]
  readonly before: readonly CurrencySum[]
  readonly missing: readonly NotReported[]
  readonly labelOf: (network: string) => string
}

export function summaryEmail(
  summary: Summary,
  to: { readonly email: string; readonly name: string },
): PersonEmail {
  const { merchantName, months, before, missing, labelOf } = summary
  const over = summary.over.filter(({ sum }) => hasMoney(sum))
  const month = nameOf(months.month)
  const team = `${homeOf(summary)}/team`
  return {
    to: to.email,
    event: 'summary.monthly',
    subject: `${merchantName}: ${month}`,
    heading: `${month} at ${merchantName}`,
    isGood: true,
    name: to.name,
    paragraphs: [
      `What came in from 1 to ${Number(months.over.to.slice(8))} ${month}, compared with ${nameOf(months.before.from)}. Net is what is left after refunds, disputes and what your networks charged.`,
      ...missing.map((one) => `Not in these fees: ${describeNotReported(one, labelOf)}.`),
      `You get this once a month as a member of ${merchantName}. Stop it on the team page: ${team}`,
    ],
    rows: over.flatMap((totals) =>
      rowsOf(totals, before.find(({ currency }) => currency === totals.currency)?.sum, over.length > 1),
    ),
    link: { label: `Export ${month}`, url: exportOf(summary) },
  }
}

export function isEmpty(totals: readonly CurrencySum[]): boolean {
  return totals.every(({ sum }) => sum.paid + sum.unpaid + sum.refunds + sum.reversed === 0n)
}

function rowsOf(
  { currency, sum }: CurrencySum,
  before: MoneyFigures | undefined,
  isNamed: boolean,
): [string, string][] {
  const label = (text: string): string => (isNamed ? `${currency} ${text.toLowerCase()}` : text)
  const money = (minor: bigint): string =>
    isCurrency(currency) ? displayAmount(minor, currency, 'en-GB') : `${minor} ${currency}`
  return [
    [
      label(moneyWords.gross),
      `${money(sum.paidMinor)} (${count(sum.paid, 'payment')}${change(sum.paidMinor, before?.paidMinor)})`,
    ],
    [label(moneyWords.refunds), `${money(-sum.refundedMinor)} (${sum.refunds})`],
    [label(moneyWords.disputes), `${money(-sum.reversedMinor)} (${sum.reversed})`],
    [label(moneyWords.networkFees), money(-sum.networkFeesMinor)],
    [
      label(moneyWords.net),
      `${money(netOf(moneyOf(sum)))}${before ? `, ${money(netOf(moneyOf(before)))} the month before` : ''}`,
    ],
  ]
}

function count(number: bigint, what: string): string {
  return `${number} ${what}${number === 1n ? '' : 's'}`
}

/** In whole percent; nothing where there is nothing to compare with. */
function change(now: bigint, before: bigint | undefined): string {
  if (before === undefined || before === 0n) return ''
  const percent = ((now - before) * 100n) / before
  return `, ${percent < 0n ? `${-percent} % less` : `${percent} % more`}`
}

function nameOf(day: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${day}T00:00:00Z`))
}

function homeOf({ baseUrl, merchantId }: Summary): string {
  return `${baseUrl}/dashboard/${merchantId}/live`
}

function exportOf(summary: Summary): string {
  const { from, to } = summary.months.over
  return `${homeOf(summary)}/bookkeeping?${new URLSearchParams({ from, to }).toString()}`
}
