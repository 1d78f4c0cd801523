import { html, type Html } from '../../../../platform/http/html.ts'
import { moneyWords, netOf, type MoneySums } from '../../../../platform/money/money-words.ts'
import { describeNotReported } from '../../figures/describe-not-reported.ts'
import type { ExportFormat, NotReported, Period, SumRow } from '../../bookkeeping/export.ts'
import { hasRight } from '../../../../dashboard/people/rights.ts'
import type { Content, MemberAsk } from '../../../../dashboard/ask.ts'
import { mayChange } from '../../../../dashboard/settings/parts.ts'
import { formatDay } from '../describe-payout.ts'
import { settingLabel } from '../settings/page.ts'
import { thisMonth } from './last-month.ts'
import {
  addressOf,
  amount,
  emptyList,
  filters,
  table,
  type Choice,
} from '../../../../dashboard/parts/lists.ts'
import { networkName } from '../../../../dashboard/network-name.ts'
import { form, head, problems, type Mistakes } from '../../../../dashboard/parts/parts.ts'
import { section } from '../../../../dashboard/parts/things.ts'

// A period: what each network booked and charged in it, and the files of it.

export type Booked = {
  readonly sums: readonly SumRow[]
  readonly missing: readonly NotReported[]
  /** The settings without which there is no file for DATEV, by the names of their fields. */
  readonly lacking: readonly string[]
}

export function bookkeepingPage(
  ask: MemberAsk,
  period: Period,
  { sums, missing, lacking }: Booked,
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
      sums.length === 0 && missing.length === 0
        ? Object.keys(mistakes).length === 0 && nothingBooked(ask, path, period)
        : section(
            'Booked in this period',
            html`${sums.length > 0 && sumTable(ask, sums)} ${notBooked(ask, missing)} ${downloads(ask, path, period, { booked: [...sums, ...missing], lacking })}`,
          )
    }
    ${Object.keys(mistakes).length === 0 && movements(ask, path, period)}`,
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

type Totals = MoneySums & {
  readonly connector: string
  readonly currency: string
  readonly count: number
  readonly taxMinor: bigint
  /** Corrections, and what the lines of a payout lack to its amount: no part of net. */
  readonly otherMinor: bigint
}

function totalsOf(rows: readonly SumRow[]): Totals {
  const sum = (of: (row: SumRow) => bigint): bigint => rows.reduce((all, row) => all + of(row), 0n)
  const moved = (...kinds: readonly SumRow['kind'][]): bigint =>
    sum(({ kind, gross_minor: minor }) => (kinds.includes(kind) ? minor : 0n))
  return {
    connector: rows[0]?.connector ?? '',
    currency: rows[0]?.currency ?? '',
    count: rows.reduce((all, { line_count }) => all + line_count, 0),
    grossMinor: moved('payment'),
    refundsMinor: -moved('refund'),
    disputesMinor: -moved('dispute'),
    networkFeesMinor: sum(({ fee_minor, tax_minor }) => fee_minor + tax_minor),
    taxMinor: sum(({ tax_minor }) => tax_minor),
    otherMinor: moved('fee', 'adjustment', 'difference'),
  }
}

function sumTable(ask: MemberAsk, sums: readonly SumRow[]): Html {
  const groups = Map.groupBy(sums, ({ connector, currency }) => `${connector} ${currency}`)
  const rows = [...groups.values()].map(totalsOf)
  const figure = (label: string, minor: (row: Totals) => bigint) => ({
    label,
    draw: (row: Totals) => amount(minor(row), row.currency),
    isFigure: true as const,
  })
  const hasOther = rows.some(({ otherMinor }) => otherMinor !== 0n)
  return html`${table<Totals>({
    label: 'Sums by network',
    rows,
    columns: [
      {
        label: 'Network',
        draw: ({ connector, currency, count }) =>
          html`<b>${networkName(ask, connector)}, ${currency}</b><br /><span class="quiet small">${count.toLocaleString('en-GB')} booking${count !== 1 && 's'}</span>`,
      },
      figure(moneyWords.gross, ({ grossMinor }) => grossMinor),
      figure(moneyWords.refunds, ({ refundsMinor }) => -refundsMinor),
      figure(moneyWords.disputes, ({ disputesMinor }) => -disputesMinor),
      {
        label: moneyWords.networkFees,
        draw: ({ networkFeesMinor, taxMinor, currency }) =>
          html`${amount(-networkFeesMinor, currency)}${taxMinor !== 0n && html`<br /><span class="quiet small">with ${amount(taxMinor, currency)} tax</span>`}`,
        isFigure: true,
      },
      figure(moneyWords.net, netOf),
      ...(hasOther ? [figure('Other bookings', ({ otherMinor }) => otherMinor)] : []),
    ],
  })}
    <p class="hint">
      Money counts on the day your network booked it. Network fees and their tax are what the network’s invoice for these days must say.
      ${hasOther && 'Other bookings are your network’s corrections; they are not in net.'}
    </p>`
}

function notBooked(ask: MemberAsk, missing: readonly NotReported[]): Html | undefined {
  if (missing.length === 0) return undefined
  return html`${missing.map((one) => html`<p>${describeNotReported(one, (name) => networkName(ask, name))}.</p>`)}
    <p class="hint">
      The files have these payments as pending if their network reports bookings, and the network’s own lines once it books them.
    </p>`
}

function downloads(
  ask: MemberAsk,
  path: string,
  period: Period,
  { booked, lacking }: { booked: readonly Pick<SumRow, 'currency'>[]; lacking: readonly string[] },
): Html {
  if (!hasRight(ask.place.role, 'bookkeeping.export'))
    return html`<p class="quiet">Your role is view-only: an owner can download this.</p>`
  const codes = lacking.length > 0 ? [] : [...new Set(booked.map(({ currency }) => currency))]
  const file = (format: ExportFormat, label: string, kind: string, currency: string): Html =>
    download(ask, path, { ...period, currency }, { format, label, kind })
  return html`<div class="actions">
      ${file('csv', 'Download CSV', 'go', period.currency)}
      ${codes.map((code) => file('datev', `Download for DATEV (${code})`, 'plain', code))}
    </div>
    ${lacking.length > 0 && waitsForSettings(ask, lacking)}
    <p class="hint">Each download is in the audit log with your name.</p>`
}

function waitsForSettings(ask: MemberAsk, lacking: readonly string[]): Html {
  const settings = `${ask.place.home}/settings/bookkeeping`
  const names = new Intl.ListFormat('en-GB').format(lacking.map((field) => settingLabel(ask, field)))
  const link = mayChange(ask)
    ? html`<a href="${settings}/edit#${lacking[0]}">Add them</a>`
    : html`An owner can add them in the <a href="${settings}">bookkeeping settings</a>`
  return html`<p>A file for DATEV needs these settings first: ${names}. ${link}.</p>`
}

/** What Home is made of. */
function movements(ask: MemberAsk, path: string, period: Period): Html | undefined {
  if (!hasRight(ask.place.role, 'bookkeeping.export')) return undefined
  const file = { format: 'movements', label: 'Download movements', kind: 'plain' } as const
  return section(
    'What happened in this period',
    html`<div class="actions">${download(ask, path, period, file)}</div>
      <p class="hint">
        A row for each payment, refund, dispute and network fee, on the day it happened. The columns add up to the figures on Home.
      </p>`,
  )
}

function download(
  ask: MemberAsk,
  path: string,
  { from, to, currency }: Period,
  { format, label, kind }: { readonly format: ExportFormat; readonly label: string; readonly kind: string },
): Html {
  const fields = Object.entries({ from, to, currency, format })
  return form(
    ask,
    `${path}/do/export`,
    html`${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button class="${kind}">${label}</button>`,
    'press',
  )
}
