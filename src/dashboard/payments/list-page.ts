import { html, type Html } from '../../platform/http/html.ts'
import { readStylesheet } from '../../platform/http/page.ts'
import { isDisputed } from '../../core/payments/disputed/dispute-view.ts'
import {
  paymentStates,
  type Count,
  type PaymentPage,
  type PaymentRow,
} from '../../core/payments/support/search-payments.ts'
import { hasRight } from '../people/rights.ts'
import type { Content, MemberAsk } from '../ask.ts'
import {
  addressOf,
  amount,
  emptyList,
  filters,
  pager,
  pill,
  shortened,
  statePill,
  table,
  type Choice,
  type Column,
  type Tone,
} from '../parts/lists.ts'
import { head, problems, timeAgo, type Mistakes, shopTime } from '../parts/parts.ts'
import { describeWhy } from './describe-why.ts'
import { isFiltered, listPath, paymentPath, type Filter } from './filter.ts'
import { formatCount } from './format-count.ts'

// The list of payments, newest first.

export const paymentStyles = [readStylesheet(new URL('./payments.css', import.meta.url))]

export type ListModel = {
  readonly filter: Filter
  readonly page: PaymentPage | undefined
  /** Of the payments on this page. */
  readonly lastAttempts?: ReadonlyMap<string, string>
  readonly isFirstPage: boolean
  /** Of a list that a figure leads to. */
  readonly count?: Count | undefined
  readonly mistakes?: Mistakes
}

export function listPage(ask: MemberAsk, model: ListModel): Content {
  const { filter, page } = model
  const path = listPath(ask)
  const newest = model.isFirstPage ? undefined : addressOf(path, filter)
  const older = page?.nextCursor ? addressOf(path, { ...filter, cursor: page.nextCursor }) : undefined
  return {
    title: 'Payments',
    styles: paymentStyles,
    body: html`${head('Payments', {
      ...(model.count && {
        lead: `${formatCount(model.count)} ${model.count.count === 1 ? 'payment' : 'payments'}`,
      }),
      ...(hasRight(ask.place.role, 'payments.export') && {
        action: html`<a class="button plain" href="${addressOf(`${path}/all/export`, filter)}">Export</a>`,
      }),
    })}
      ${problems(model.mistakes ?? {})}
      <div class="payment-filters">${drawFilters(ask, filter, path)}</div>
      ${page && (page.payments.length === 0 ? nothing(ask, model) : listed(ask, page, model.lastAttempts))}
      ${pager(newest, older)}`,
  }
}

function drawFilters({ place }: MemberAsk, filter: Filter, path: string): Html {
  const known = [...place.merchant.currencies.keys()].toSorted()
  const currencies =
    known.includes(filter.currency) || filter.currency === '' ? known : [...known, filter.currency]
  const choices: Choice[] = [
    ...paymentStates.map((state): Choice => [state, describeState(state)]),
    ['paid', 'Paid, refunded or not'],
    ['unpaid', 'Not paid'],
  ]
  const dates: Choice[] = [
    ['', 'Created'],
    ['end', 'Paid or ended'],
    ...(filter.by === 'reversed' ? [['reversed', 'Taken back by the bank'] as const] : []),
  ]
  return filters(
    path,
    [
      {
        name: 'search',
        label: 'Search',
        value: filter.search,
        hint: 'Any part of a reference, name, e-mail or title, an amount, last four card digits or checkout link',
      },
      { name: 'state', label: 'State', value: filter.state, choices: [['', 'All'], ...choices] },
      {
        name: 'currency',
        label: 'Currency',
        value: filter.currency,
        choices: [['', 'All'], ...currencies.map((one): Choice => [one, one])],
      },
      { name: 'by', label: 'Dates', value: filter.by, choices: dates },
      { name: 'from', label: 'From', type: 'date', value: filter.from },
      { name: 'to', label: 'To', type: 'date', value: filter.to },
      { name: 'project', label: 'Project', value: filter.project },
      ...(filter.why === ''
        ? []
        : [
            {
              name: 'why',
              label: 'Reason',
              value: filter.why,
              choices: [['', 'All'] as const, [filter.why, describeWhy(filter.why)] as const],
            },
          ]),
    ],
    isFiltered(filter),
  )
}

export function describeState(state: string): string {
  if (state === 'unpaid') return 'Not paid'
  return `${state.slice(0, 1).toUpperCase()}${state.slice(1)}`
}

const customer: Column<PaymentRow> = {
  label: 'Customer',
  draw: ({ first_name, last_name, email }) =>
    html`${shortened(`${first_name} ${last_name}`.trim())}<br /><span class="quiet small">${shortened(email)}</span>`,
}

function listed(ask: MemberAsk, { payments }: PaymentPage, lastAttempts: ListModel['lastAttempts']): Html {
  return paymentTable(ask, {
    label: 'Payments',
    rows: payments,
    also: [customer],
    ...(lastAttempts && { lastAttempts }),
  })
}

type PaymentTable = {
  readonly label: string
  readonly rows: readonly PaymentRow[]
  /** What this list is read for. */
  readonly also: readonly Column<PaymentRow>[]
  readonly lastAttempts?: ListModel['lastAttempts']
}

/** Payments, each with a link to its page. */
export function paymentTable(ask: MemberAsk, { label, rows, also, lastAttempts }: PaymentTable): Html {
  const now = shopTime(ask)
  return table<PaymentRow>({
    label,
    rows,
    to: (payment) => paymentPath(ask, payment),
    columns: [
      {
        label: 'Amount',
        draw: ({ amount_minor, currency }) => amount(amount_minor, currency),
        isFigure: true,
      },
      { label: 'State', draw: (payment) => standingOf(payment, lastAttempts?.get(payment.number)) },
      { label: 'Payment', draw: ({ tx_ref }) => shortened(tx_ref) },
      ...also,
      {
        label: 'Created',
        draw: ({ created_at }) => html`<span class="quiet">${timeAgo(new Date(created_at), now)}</span>`,
      },
    ],
  })
}

const attemptPills: Readonly<Record<string, readonly [string, Tone]>> = {
  declined: ['declined', 'bad'],
  abandoned: ['given up', 'calm'],
  not_sent: ['not sent', 'warn'],
  started: ['paying', 'calm'],
  action_required: ['paying', 'calm'],
  submitted: ['at the bank', 'calm'],
  unknown: ['no answer yet', 'warn'],
  held: ['needs a decision', 'bad'],
}

/** The state, and what else matters at a glance. */
export function standingOf(payment: PaymentRow, lastAttempt?: string): Html {
  const isPart = payment.state === 'success' && payment.refunded_minor > 0n
  const tried = payment.state === 'pending' ? attemptPills[lastAttempt ?? ''] : undefined
  return html`<span class="states">${statePill(payment.state)} ${tried && pill(...tried)}
    ${isPart && pill('part refunded')} ${isDisputed(payment) && pill('disputed', 'warn')}
    ${payment.late && pill('late', 'warn')}</span>`
}

function nothing(ask: MemberAsk, { filter, isFirstPage }: ListModel): Html {
  const path = listPath(ask)
  if (!isFirstPage) return emptyList('No older payments', 'You’ve seen them all.')
  if (isFiltered(filter)) {
    const { prefix } = ask.dashboard
    const other = ask.place.mode === 'test' ? 'live' : 'test'
    const there = `${prefix}/dashboard/${ask.place.merchant.id}/${other}/payments`
    return emptyList(
      'No matching payments',
      'Try another part of the name, the e-mail address or the tx_ref. The payment may also be in the other mode.',
      html`<div class="actions">
        <a class="button plain" href="${addressOf(there, filter)}">Look in ${other} mode</a>
        <a class="button plain" href="${path}">Show all payments</a>
      </div>`,
    )
  }
  return emptyList(
    'No payments yet',
    `Every payment created by your server, a form or a link in ${ask.place.mode} mode appears here.`,
    html`<a class="button plain" href="${ask.dashboard.prefix}/docs">How to create a payment</a>`,
  )
}
