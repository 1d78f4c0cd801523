import { html, type Html } from '../../http/html.ts'
import type { DisputeRow } from '../../disputes/list-disputes.ts'
import type { ReplyRow } from '../../disputes/replies/answer-dispute.ts'
import { isCurrency } from '../../money/currencies.ts'
import { displayAmount } from '../../money/money.ts'
import type { Notification } from '../../notifications/list-notifications.ts'
import { describeReason } from '../../payments/attempts/describe-reason.ts'
import { isCharge } from '../../payments/saving/saving.ts'
import type { PaymentRow } from '../../payments/support/search-payments.ts'
import type { AttemptRow, HistoryRow } from '../../payments/support/payment-story.ts'
import type { RefundWithHistory } from '../../refunds/find-refunds.ts'
import type { Ask } from '../ask.ts'
import { describeReply } from '../disputes/reply-words.ts'
import { formatExactly, type ShopTime } from '../parts/parts.ts'
import type { Happening } from '../parts/things.ts'
import type { Told } from './model.ts'
import { describeMethod } from './words.ts'

// A payment's timeline: its own history, attempts, refunds, disputes and notifications in one order.

type Dated = Omit<Happening, 'at'> & {
  readonly at: string
  /** Its place in the order, if that differs from its time. */
  readonly after?: string
}

/** Newest first. Events of one moment stay in order of cause and effect. */
export function happeningsOf(ask: Pick<Ask, 'dashboard'>, told: Told, now: ShopTime): Happening[] {
  const caused: Dated[] = [
    { at: told.payment.created_at, title: 'Payment created', detail: originOf(told.payment) },
    ...told.attempts.map((attempt) => startOf(ask, attempt)),
    ...told.history.map((row) => historyOf(row, told)),
    ...told.refunds.flatMap(refundOf),
    ...told.replies.map((reply) => replyOf(reply, told)),
    ...told.disputes.flatMap((dispute) => disputeOf(dispute, now)),
  ]
  const times = caused.map(({ at }) => at)
  const all = [...caused, ...told.notifications.flatMap((one) => notificationOf(one, times))]
  const place = ({ at, after }: Dated): string => after ?? at
  return all
    .toSorted((one, other) => (place(one) < place(other) ? -1 : place(one) > place(other) ? 1 : 0))
    .map(({ at, title, tone, detail }) => ({ at: new Date(at), title, detail, ...(tone && { tone }) }))
    .toReversed()
}

const origins: Readonly<Record<PaymentRow['type'], string>> = {
  API: 'By your server (API)',
  Form: 'By a web form',
  Link: 'By a payment link',
}

function originOf(payment: PaymentRow): string {
  return isCharge(payment) ? 'By a charge of a saved method, without the customer' : origins[payment.type]
}

function startOf(ask: Pick<Ask, 'dashboard'>, attempt: AttemptRow): Dated {
  return {
    at: attempt.started_at,
    title: `Attempt ${attempt.attempt} started`,
    detail: describeMethod(ask, attempt),
  }
}

type Words = Pick<Happening, 'title' | 'tone' | 'detail'>

const ofPayment: Readonly<Record<string, Words>> = {
  paid: { title: 'Paid', tone: 'good' },
  attempts_used_up: { title: 'Payment failed', tone: 'bad', detail: 'Too many declined attempts' },
  charge_refused: { title: 'Payment failed', tone: 'bad' },
  cancelled_by_customer: { title: 'Cancelled by the customer' },
  cancelled_by_merchant: { title: 'Cancelled by you' },
  ran_out_of_time: { title: 'Payment link expired' },
  refunded_in_full: { title: 'Refunded in full' },
  refund_came_back: { title: 'A refund came back', tone: 'warn', detail: 'You have the money again' },
  reversed_by_bank: { title: 'The bank took the money back', tone: 'bad' },
  given_back_by_bank: { title: 'The bank gave the money back', tone: 'good' },
  given_back_refunded: { title: 'The bank gave the money back' },
}

const ofAttempt: Readonly<Record<string, Words>> = {
  needs_action: { title: 'is waiting for the customer', detail: '3-D Secure, or the network’s own page' },
  sent_on: { title: 'was sent to the network' },
  approved: {
    title: 'was approved by the customer',
    detail: 'Florin then told the network to take the money',
  },
  money_on_its_way: { title: 'takes days', detail: 'The network reviews it, or waits for the bank' },
  charged: { title: 'succeeded', tone: 'good' },
  charged_late: { title: 'succeeded late', tone: 'warn' },
  refused: { title: 'was declined', tone: 'bad' },
  never_sent: { title: 'was not sent', tone: 'warn' },
  closed: { title: 'was abandoned' },
  given_up: { title: 'was abandoned' },
  no_answer: { title: 'got no answer', tone: 'warn', detail: 'Florin keeps asking the network' },
  charged_otherwise: {
    title: 'charged a different amount',
    tone: 'bad',
    detail: 'Held until you decide what happens to the money',
  },
  charged_again: { title: 'was paid a second time', tone: 'warn', detail: 'Florin sends the money back' },
  page_left: {
    title: 'was left by the customer',
    detail: 'Its page can’t be closed. Florin sends back what is paid on it after the payment has ended',
  },
  charged_after_end: {
    title: 'was paid after the payment had ended',
    tone: 'warn',
    detail: 'Florin sends the money back',
  },
  accepted: {
    title: 'was accepted as it is',
    tone: 'good',
    detail: 'The payment’s amount is what was charged',
  },
  sent_back: { title: 'is being sent back', detail: 'Your team decided this' },
  money_returned: { title: 'was returned to the customer' },
}

function historyOf(row: HistoryRow, told: Told): Dated {
  const line = lineOf(row, told)
  if (!row.actor) return line
  const by = `By ${told.names.get(row.actor) ?? row.actor}`
  return { ...line, detail: row.event === 'sent_back' || !line.detail ? by : html`${by}. ${line.detail}` }
}

/** Events of an attempt whose reason is worth saying. */
const withReason: ReadonlySet<string> = new Set(['refused', 'given_up', 'never_sent'])

function lineOf({ at, event, attempt }: HistoryRow, { attempts, payment }: Told): Dated {
  if (attempt === null) {
    const words = ofPayment[event] ?? { title: plain(event) }
    return {
      at,
      ...words,
      ...(event === 'paid' && payment.late && { detail: 'Late: the payment had already ended' }),
    }
  }
  const words = ofAttempt[event] ?? { title: plain(event) }
  const reason = attempts.find((one) => one.attempt === attempt)?.decline_reason
  return {
    at,
    ...words,
    title: `Attempt ${attempt} ${String(words.title)}`,
    ...(withReason.has(event) && reason && { detail: describeReason(reason) }),
  }
}

function plain(event: string): string {
  const text = event.replaceAll('_', ' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

const refundWords: Readonly<Record<string, Words>> = {
  submitted: { title: 'is with the network' },
  succeeded: { title: 'succeeded', tone: 'good' },
  failed: { title: 'failed', tone: 'bad' },
}

function refundOf({ refund, history }: RefundWithHistory): Dated[] {
  const sum = displayAmount(refund.amount_minor, refund.currency, 'en-GB')
  return [
    {
      at: refund.created_at,
      title: `Refund of ${sum} requested`,
      detail: html`<code>${refund.refund_ref}</code>${refund.reason !== null && html`: ${refund.reason}`}`,
    },
    ...history.map(({ at, to_state }): Dated => {
      const words = refundWords[to_state] ?? { title: plain(to_state) }
      const why = to_state === 'failed' && refund.failure !== null ? plain(refund.failure) : undefined
      return { at, ...words, title: `Refund of ${sum} ${String(words.title)}`, detail: why }
    }),
  ]
}

function disputeOf(dispute: DisputeRow, now: ShopTime): Dated[] {
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
    detail: `${plain(dispute.reason)}${due}`,
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

function replyOf(reply: ReplyRow, { names }: Told): Dated {
  return { ...describeReply(reply, names), at: reply.ended_at ?? reply.requested_at }
}

const oneCommitMs = 1_000

/** A notification has its commit's start time, and its cause a later time of the same commit. */
function causeOf({ created_at }: Notification, times: readonly string[]): string {
  const latest = new Date(Date.parse(created_at) + oneCommitMs).toISOString()
  return times
    .filter((at) => at >= created_at && at < latest)
    .reduce((one, at) => (at > one ? at : one), created_at)
}

function notificationOf(one: Notification, times: readonly string[]): Dated[] {
  const what = one.kind === 'mail' ? 'E-mail' : 'Notification'
  const name = html`${what} <code>${one.event}</code>`
  const written: Dated[] =
    one.attempts.length > 0
      ? []
      : [
          {
            at: one.created_at,
            after: causeOf(one, times),
            title: html`${name} ${notificationState(one)}`,
            detail: whereTo(one),
          },
        ]
  return [...written, ...one.attempts.map((attempt, index) => tryOf(one, name, attempt, index + 1))]
}

function notificationState({ kind, state, target }: Notification): string {
  if (state === 'kept' && kind === 'mail') return 'kept in the mailbox'
  if (target === '' || state === 'skipped')
    return kind === 'ipn' ? 'not sent: the payment has no callback_url' : 'not sent'
  if (state === 'paused') return kind === 'ipn' ? 'paused with its receiver' : 'is waiting for a mail server'
  return 'is waiting'
}

function whereTo({ target }: Notification): Html | undefined {
  return target === '' ? undefined : html`To <span class="ref">${target}</span>`
}

function tryOf(
  one: Notification,
  name: Html,
  attempt: Notification['attempts'][number],
  place: number,
): Dated {
  const isGood = attempt.error === null && (attempt.status === null || attempt.status < 300)
  const answer = attempt.answer ?? ''
  return {
    at: attempt.at,
    title: html`${name} ${isGood ? 'delivered' : 'not delivered'}`,
    ...(isGood ? {} : { tone: 'bad' as const }),
    detail: html`${whereTo(one)}, attempt ${place}:
      ${attempt.status === null ? '' : `response ${attempt.status}`} ${attempt.error}
      after ${attempt.ms.toLocaleString('en-GB')} ms
      ${answer !== '' && html`<details><summary>Response from your server</summary><pre class="answer">${answer}</pre></details>`}`,
  }
}
