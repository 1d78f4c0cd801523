import { html, type Html } from '../../http/html.ts'
import type { Period, SumRow } from '../../payouts/bookkeeping/export.ts'
import { hasRight } from '../../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import { formatDay } from '../payouts/describe-payout.ts'
import { thisMonth } from './last-month.ts'
import { addressOf, amount, emptyList, filters, table, type Choice } from '../parts/lists.ts'
import { networkName } from './network-name.ts'
import { form, head, problems, type Mistakes } from '../parts/parts.ts'
import { section } from '../parts/things.ts'

// A period: what each network booked and charged in it, and the files of it.

export function bookkeepingPage(
  ask: MemberAsk,
  period: Period,
  sums: readonly SumRow[],
  mistakes: Mistakes = {},
): Content {
  const path = `${ask.place.home}/bookkeeping`
  const currencies = [...ask.place.merchant.currencies.keys()]
  const choices: Choice[] = [['', 'All'], ...currencies.map((code): Choice => [code, code])]
  return {
    title: 'Bookkeeping',
    body: html`${head('Bookkeeping', {
      lead: 'What networks booked, charged and paid out, for your accountant.',
      action: html`<a class="button plain" href="${path}/bank">Match a bank statement</a>`,
    })}
    ${problems(mistakes)}
    ${filters(
      path,
      [
        { name: 'from', label: 'From', type: 'date', value: period.from },
        { name: 'to', label: 'To', type: 'date', value: period.to },
        { name: 'currency', label: 'Currency', value: period.currency, choices },
      ],
      false,
    )}
    ${
      sums.length === 0
        ? Object.keys(mistakes).length === 0 && nothingBooked(ask, path, period)
        : section('Booked in this period', html`${sumTable(ask, sums)} ${downloads(ask, path, period, sums)}`)
    }`,
  }
}

/** The page opens with last month; a new shop has bookings in this one only. */
function nothingBooked({ core }: MemberAsk, path: string, { from, to, timeZone }: Period): Html {
  const month = thisMonth(core.now(), timeZone)
  const isThisMonth = from === month.from && to === month.to
  return emptyList(
    'Nothing booked',
    `No network booked anything from ${formatDay(from)} to ${formatDay(to)}.`,
    isThisMonth
      ? undefined
      : html`<a class="button plain" href="${addressOf(path, month)}">Show this month</a>`,
  )
}

type Totals = Pick<SumRow, 'connector' | 'currency'> & {
  count: number
  gross: bigint
  fee: bigint
  tax: bigint
  net: bigint
}

function sumTable(ask: MemberAsk, sums: readonly SumRow[]): Html {
  const totals = new Map<string, Totals>()
  for (const row of sums) {
    const { connector, currency } = row
    const name = `${connector} ${currency}`
    const known = totals.get(name) ?? { connector, currency, count: 0, gross: 0n, fee: 0n, tax: 0n, net: 0n }
    totals.set(name, {
      ...known,
      count: known.count + row.line_count,
      gross: known.gross + row.gross_minor,
      fee: known.fee + row.fee_minor,
      tax: known.tax + row.tax_minor,
      net: known.net + row.net_minor,
    })
  }
  const figure = (label: string, minor: (row: Totals) => bigint) => ({
    label,
    draw: (row: Totals) => amount(minor(row), row.currency),
    isFigure: true,
  })
  return html`${table<Totals>({
    label: 'Sums by network',
    rows: [...totals.values()],
    columns: [
      { label: 'Network', draw: ({ connector }) => networkName(ask, connector) },
      { label: 'Bookings', draw: ({ count }) => count.toLocaleString('en-GB'), isFigure: true },
      figure('Gross', ({ gross }) => gross),
      figure('Fees', ({ fee }) => fee),
      figure('Tax on fees', ({ tax }) => tax),
      figure('Net', ({ net }) => net),
    ],
  })}
    <p class="hint">Fees and their tax are what the network’s invoice for these days must say.</p>`
}

function downloads(ask: MemberAsk, path: string, period: Period, sums: readonly SumRow[]): Html {
  if (!hasRight(ask.place.role, 'bookkeeping.export'))
    return html`<p class="quiet">Your role is view-only: an owner can download this.</p>`
  const booked = [...new Set(sums.map(({ currency }) => currency))]
  const file = (format: string, label: string, kind: string, code: string): Html =>
    form(
      ask,
      `${path}/do/export`,
      html`${Object.entries({ from: period.from, to: period.to, currency: code, format }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button class="${kind}">${label}</button>`,
      'press',
    )
  return html`<div class="actions">
      ${file('csv', 'Download CSV', 'go', period.currency)}
      ${booked.map((code) => file('datev', `Download for DATEV (${code})`, 'plain', code))}
    </div>
    <p class="hint">
      DATEV needs account numbers: <a href="${ask.place.home}/settings/bookkeeping">Bookkeeping settings</a>. Each
      download is in the audit log with your name.
    </p>`
}
