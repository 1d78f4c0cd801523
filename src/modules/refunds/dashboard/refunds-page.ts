import { html, type Html } from '../../../platform/http/html.ts'
import type { RefundRow } from '../find-refunds.ts'
import { refundStatus, refundStatuses, type RefundStatus } from '../state-machine.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import {
  addressOf,
  amount,
  emptyList,
  filters,
  pager,
  shortened,
  statePill,
  table,
} from '../../../dashboard/parts/lists.ts'
import { form, head, timeAgo, shopTime } from '../../../dashboard/parts/parts.ts'

export type RefundFilter = {
  readonly q: string
  readonly status: RefundStatus | ''
  readonly currency: string
  /** done: the dates are those on which the money went back. */
  readonly by: 'done' | ''
  readonly from: string
  readonly to: string
}

type Model = {
  readonly refunds: readonly RefundRow[]
  readonly nextCursor: string | null
  readonly filter: RefundFilter
  readonly isFirst: boolean
  readonly mayExport: boolean
}

export function refundsPage(ask: MemberAsk, model: Model): Content {
  const { filter, refunds } = model
  const path = `${ask.place.home}/refunds`
  const isFiltered = Object.entries(filter).some(([name, value]) => name !== 'by' && value !== '')
  return {
    title: 'Refunds',
    body: html`${head('Refunds', {
      lead: 'Money returned to customers, or on its way.',
      ...(model.mayExport && refunds.length > 0 && { action: exportForm(ask, path, filter) }),
    })}
      ${(isFiltered || refunds.length > 0) && search(ask, path, filter, isFiltered)}
      ${refunds.length === 0 ? nothing(ask, path, isFiltered) : list(ask, refunds)}
      ${pager(
        model.isFirst ? undefined : addressOf(path, filter),
        model.nextCursor === null ? undefined : addressOf(path, { ...filter, cursor: model.nextCursor }),
      )}`,
  }
}

function search({ place }: MemberAsk, path: string, filter: RefundFilter, isFiltered: boolean): Html {
  const currencies = new Set([...place.merchant.currencies.keys(), filter.currency].filter(Boolean))
  return filters(
    path,
    [
      { name: 'q', label: 'Refund or order', value: filter.q },
      {
        name: 'status',
        label: 'Status',
        value: filter.status,
        choices: [['', 'Any'], ...refundStatuses.map((status) => [status, status] as const)],
      },
      {
        name: 'currency',
        label: 'Currency',
        value: filter.currency,
        choices: [['', 'All'], ...[...currencies].toSorted().map((code) => [code, code] as const)],
      },
      {
        name: 'by',
        label: 'Dates',
        value: filter.by,
        choices: [
          ['', 'Requested'],
          ['done', 'Paid back'],
        ],
      },
      { name: 'from', label: 'From', type: 'date', value: filter.from },
      { name: 'to', label: 'To', type: 'date', value: filter.to },
    ],
    isFiltered,
  )
}

function list(ask: MemberAsk, refunds: readonly RefundRow[]): Html {
  const { home } = ask.place
  const now = shopTime(ask)
  return table({
    label: 'Refunds',
    rows: refunds,
    to: ({ id }) => `${home}/refunds/${id}`,
    columns: [
      {
        label: 'Amount',
        draw: ({ amount_minor, currency }) => amount(amount_minor, currency),
        isFigure: true,
      },
      { label: 'Refund', draw: ({ refund_ref }) => shortened(refund_ref) },
      {
        label: 'Order',
        draw: ({ number, tx_ref }) => shortened(tx_ref, `${home}/payments/${number}`),
      },
      { label: 'Status', draw: ({ state }) => statePill(refundStatus[state]) },
      { label: 'When', draw: ({ created_at }) => timeAgo(new Date(created_at), now) },
    ],
  })
}

function exportForm(ask: MemberAsk, path: string, filter: RefundFilter): Html {
  const hidden = Object.entries(filter).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  return form(ask, `${path}/do/export`, html`${hidden}<button class="plain">Export as CSV</button>`, 'press')
}

function nothing({ place }: MemberAsk, path: string, isFiltered: boolean): Html {
  return isFiltered
    ? emptyList(
        'No matching refunds',
        'Search for the complete refund_ref, or the tx_ref of the payment.',
        html`<a class="button plain" href="${path}">Show all</a>`,
      )
    : emptyList(
        'No refunds yet',
        'Refund a payment from its page, in full or in part, or through the API.',
        html`<a class="button plain" href="${place.home}/payments">View payments</a>`,
      )
}
