import type { Html } from '../../../platform/http/html.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import { isCurrency } from '../../../platform/money/currencies.ts'
import { disputesOf, disputesOfAll, type DisputeRow } from '../list-disputes.ts'
import { describeReason } from '../evidence.ts'
import { repliesOf } from '../replies/answer-dispute.ts'
import { namesOf } from '../../../dashboard/people/find-person.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { shortened, table } from '../../../dashboard/parts/lists.ts'
import { formatExactly, shopTime, timeAgo, type ShopTime } from '../../../dashboard/parts/parts.ts'
import { section, type Dated, type Happening } from '../../../dashboard/parts/things.ts'
import type { DashboardPart } from '../../../dashboard/slots.ts'
import { disputed, disputePill } from './describe-dispute.ts'
import { disputeNotice } from './dispute-notice.ts'
import { disputeMatters } from './matters.ts'
import { describeReply } from './reply-words.ts'

// Disputes on Home and on the pages of a payment and of a customer.

export const disputesPart: DashboardPart = {
  order: 30,
  payment: async (ask, { payment }) => {
    const { db } = ask.core
    const disputes = await disputesOf(db, payment)
    const replies = await repliesOf(db, payment.merchant_id, disputes)
    const names = await namesOf(
      ask.people,
      replies.map(({ actor }) => actor),
    )
    return {
      notice: disputeNotice(ask, disputes),
      happenings: [
        ...replies.map((reply) => ({
          ...describeReply(reply, names),
          at: reply.ended_at ?? reply.requested_at,
        })),
        ...disputes.flatMap((dispute) => disputeHappenings(dispute, shopTime(ask))),
      ],
    }
  },
  customer: async (ask, { disputed: numbers }) => {
    return disputesSection(ask, await disputesOfAll(ask.core.db, ask.place.merchant.id, numbers))
  },
  matters: disputeMatters,
}

type Words = Pick<Happening, 'title' | 'tone'>

export function disputeHappenings(dispute: DisputeRow, now: ShopTime): Dated[] {
  const { amount_minor, currency } = dispute
  const sum = isCurrency(currency)
    ? displayAmount(amount_minor, currency, 'en-GB')
    : `${amount_minor} ${currency}`
  const due =
    dispute.state === 'evidence_due' && dispute.evidence_due_at !== null
      ? `. Evidence due by ${formatExactly(new Date(dispute.evidence_due_at), now)}`
      : ''
  const opened: Dated = {
    at: dispute.opened_at,
    title: `Dispute of ${sum} opened`,
    tone: 'warn',
    detail: `${describeReason(dispute.reason)}${due}`,
  }
  if (dispute.updated_at === dispute.opened_at) return [opened]
  const words: Readonly<Record<DisputeRow['state'], Words>> = {
    evidence_due: { title: 'Dispute is waiting for your evidence', tone: 'warn' },
    under_review: { title: 'Dispute under review' },
    won: { title: 'Dispute won', tone: 'good' },
    lost: { title: 'Dispute lost', tone: 'bad' },
  }
  return [opened, { at: dispute.updated_at, ...words[dispute.state] }]
}

export function disputesSection(ask: MemberAsk, rows: readonly DisputeRow[]): Html | undefined {
  if (rows.length === 0) return undefined
  const now = shopTime(ask)
  const drawn = table<DisputeRow>({
    label: 'Disputes',
    rows,
    to: ({ id }) => `${ask.place.home}/disputes/${id}`,
    columns: [
      { label: 'Amount', draw: disputed, isFigure: true },
      { label: 'State', draw: ({ state }) => disputePill(state) },
      { label: 'Order', draw: ({ tx_ref }) => shortened(tx_ref) },
      { label: 'Reason', draw: ({ reason }) => describeReason(reason) },
      { label: 'Opened', draw: ({ opened_at }) => timeAgo(new Date(opened_at), now) },
    ],
  })
  return section('Disputes', drawn)
}
