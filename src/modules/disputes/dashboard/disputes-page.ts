import { html, type Html } from '../../../platform/http/html.ts'
import type { DisputeRow } from '../find-dispute.ts'
import type { Content, MemberAsk } from '../../../dashboard/ask.ts'
import {
  addressOf,
  emptyList,
  filters,
  pager,
  shortened,
  table,
  type Column,
} from '../../../dashboard/parts/lists.ts'
import { head, timeAgo, shopTime } from '../../../dashboard/parts/parts.ts'
import { tabs } from '../../../dashboard/parts/things.ts'
import { describeReason } from '../evidence.ts'
import { disputed, disputePill, dueIn } from './describe-dispute.ts'

export const views = ['to_answer', 'under_review', 'won', 'lost', 'all'] as const
export type View = (typeof views)[number]

const labels: Readonly<Record<View, string>> = {
  to_answer: 'To answer',
  under_review: 'Under review',
  won: 'Won',
  lost: 'Lost',
  all: 'All',
}

type Model = {
  readonly disputes: readonly DisputeRow[]
  readonly view: View
  readonly txRef: string
  readonly nextCursor: string | null
  readonly isFirst: boolean
}

export function disputesPage(ask: MemberAsk, { disputes, view, txRef, nextCursor, isFirst }: Model): Content {
  const path = `${ask.place.home}/disputes`
  const here = { show: view === 'to_answer' || txRef !== '' ? undefined : view, q: txRef }
  return {
    title: 'Disputes',
    body: html`${head('Disputes', { lead: 'A customer’s bank wants the money back.' })}
      ${tabs(
        'Disputes by state',
        views.map((one) => ({
          label: labels[one],
          to: one === 'to_answer' ? path : addressOf(path, { show: one }),
          isHere: one === view,
        })),
      )}
      ${view === 'all' && filters(path, [{ name: 'q', label: 'Order', value: txRef }], txRef !== '')}
      ${disputes.length === 0 ? nothing(view, path, txRef) : list(ask, disputes, view)}
      ${pager(
        isFirst ? undefined : addressOf(path, here),
        nextCursor === null ? undefined : addressOf(path, { ...here, cursor: nextCursor }),
      )}`,
  }
}

function list(ask: MemberAsk, disputes: readonly DisputeRow[], view: View): Html {
  const { home } = ask.place
  const now = shopTime(ask)
  const due: Column<DisputeRow> = {
    label: 'Evidence due',
    draw: ({ state, evidence_due_at: at }) =>
      state === 'evidence_due' && at !== null ? dueIn(new Date(at), now) : '',
  }
  const state: Column<DisputeRow> = { label: 'State', draw: (dispute) => disputePill(dispute.state) }
  return table({
    label: 'Disputes',
    rows: disputes,
    to: ({ id }) => `${home}/disputes/${id}`,
    columns: [
      { label: 'Amount', draw: disputed, isFigure: true },
      { label: 'Order', draw: ({ tx_ref }) => shortened(tx_ref) },
      { label: 'Reason', draw: ({ reason }) => describeReason(reason) },
      ...(view === 'to_answer' ? [due] : view === 'all' ? [state, due] : [state]),
      { label: 'Opened', draw: ({ opened_at }) => timeAgo(new Date(opened_at), now) },
    ],
  })
}

function nothing(view: View, path: string, txRef: string): Html {
  if (txRef !== '')
    return emptyList(
      'No matching dispute',
      'Search for the complete tx_ref of the payment.',
      html`<a class="button plain" href="${path}?show=all">Show all</a>`,
    )
  if (view === 'to_answer')
    return emptyList(
      'Nothing to answer',
      'When a customer’s bank wants money back, the dispute appears here with the date your evidence is due. You get an e-mail too.',
    )
  return emptyList('No disputes', 'No dispute is in this state.')
}
