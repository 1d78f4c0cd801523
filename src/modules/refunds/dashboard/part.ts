import { html, type Html } from '../../../platform/http/html.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import type { PaymentRow } from '../../../core/payments/support/search-payments.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import {
  leftToRefund,
  refundsOfAll,
  refundsWithHistory,
  type RefundRow,
  type RefundWithHistory,
} from '../find-refunds.ts'
import { describeFailure } from '../describe-failure.ts'
import { refundStatus } from '../state-machine.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { amount, shortened, statePill, table } from '../../../dashboard/parts/lists.ts'
import { shopTime, timeAgo } from '../../../dashboard/parts/parts.ts'
import { section, type Dated, type Happening } from '../../../dashboard/parts/things.ts'
import { paymentPath } from '../../../dashboard/payments/filter.ts'
import { spelledOut } from '../../../dashboard/payments/words.ts'
import type { DashboardPart } from '../../../dashboard/slots.ts'

// Refunds on the pages of a payment and of a customer.

export const refundsPart: DashboardPart = {
  order: 40,
  payment: async (ask, { payment }) => {
    const [refunds, leftMinor] = await Promise.all([
      refundsWithHistory(ask.core.db, payment),
      leftToRefund(ask.core.db, payment),
    ])
    return { action: refundLink(ask, payment, leftMinor), happenings: refunds.flatMap(refundHappenings) }
  },
  customer: async (ask, { refunded }) => {
    return refundsSection(ask, await refundsOfAll(ask.core.db, ask.place.merchant.id, refunded))
  },
}

export function refundLink(ask: MemberAsk, payment: PaymentRow, leftMinor: bigint): Html | undefined {
  const mayRefund =
    payment.state === 'success' && leftMinor > 0n && hasRight(ask.place.role, 'payments.refund')
  return mayRefund
    ? html`<a class="button plain" href="${paymentPath(ask, payment)}/refund">Refund</a>`
    : undefined
}

type Words = Pick<Happening, 'title' | 'tone' | 'detail'>

const refundWords: Readonly<Record<string, Words>> = {
  submitted: { title: 'is with the network' },
  succeeded: { title: 'succeeded', tone: 'good' },
  failed: { title: 'failed', tone: 'bad' },
}

export function refundHappenings({ refund, history }: RefundWithHistory): Dated[] {
  const sum = displayAmount(refund.amount_minor, refund.currency, 'en-GB')
  return [
    {
      at: refund.created_at,
      title: `Refund of ${sum} requested`,
      detail: html`<code>${refund.refund_ref}</code>${refund.reason !== null && html`: ${refund.reason}`}`,
    },
    ...history.map(({ at, to_state }): Dated => {
      const words = refundWords[to_state] ?? { title: spelledOut(to_state) }
      const why =
        to_state === 'failed' && refund.failure !== null ? describeFailure(refund.failure).what : undefined
      return { at, ...words, title: `Refund of ${sum} ${String(words.title)}`, detail: why }
    }),
  ]
}

export function refundsSection(ask: MemberAsk, rows: readonly RefundRow[]): Html | undefined {
  if (rows.length === 0) return undefined
  const now = shopTime(ask)
  const drawn = table<RefundRow>({
    label: 'Refunds',
    rows,
    to: ({ id }) => `${ask.place.home}/refunds/${id}`,
    columns: [
      { label: 'Amount', draw: (one) => amount(one.amount_minor, one.currency), isFigure: true },
      { label: 'State', draw: ({ state }) => statePill(refundStatus[state]) },
      { label: 'Order', draw: ({ tx_ref }) => shortened(tx_ref) },
      { label: 'Requested', draw: ({ created_at }) => timeAgo(new Date(created_at), now) },
    ],
  })
  return section('Refunds', drawn)
}
