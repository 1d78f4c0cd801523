import { html, type Html } from '../../platform/http/html.ts'
import type { Notification } from '../../core/notifications/list-notifications.ts'
import { describeTry } from '../../core/notifications/describe-try.ts'
import { describeReason } from '../../core/payments/attempts/describe-reason.ts'
import { isCharge } from '../../core/payments/saving/saving.ts'
import type { PaymentRow } from '../../core/payments/support/search-payments.ts'
import type { AttemptRow, HistoryRow } from '../../core/payments/support/payment-story.ts'
import type { Ask } from '../ask.ts'
import type { Dated, Happening } from '../parts/things.ts'
import type { Told } from './model.ts'
import { describeMethod, spelledOut } from './words.ts'

// A payment's timeline: its own history, attempts, notifications and what modules add, in one order.

/** Newest first. Events of one moment stay in order of cause and effect. */
export function happeningsOf(ask: Pick<Ask, 'dashboard'>, told: Told): Happening[] {
  const caused: Dated[] = [
    { at: told.payment.created_at, title: 'Payment created', detail: originOf(told.payment) },
    ...told.attempts.map((attempt) => startOf(ask, attempt)),
    ...told.history.map((row) => historyOf(row, told)),
    ...told.parts.flatMap(({ happenings = [] }) => happenings),
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
    const words = ofPayment[event] ?? { title: spelledOut(event) }
    return {
      at,
      ...words,
      ...(event === 'paid' && payment.late && { detail: 'Late: the payment had already ended' }),
    }
  }
  const words = ofAttempt[event] ?? { title: spelledOut(event) }
  const reason = attempts.find((one) => one.attempt === attempt)?.decline_reason
  return {
    at,
    ...words,
    title: `Attempt ${attempt} ${String(words.title)}`,
    ...(withReason.has(event) && reason && { detail: describeReason(reason) }),
  }
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
  if (state === 'kept' && kind === 'mail') return 'is in the mailbox'
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
      ${attempt.status === null ? '' : `response ${attempt.status}`}
      ${attempt.error !== null && describeTry({ status: null, error: attempt.error }).what}
      after ${attempt.ms.toLocaleString('en-GB')} ms
      ${answer !== '' && html`<details><summary>Response from your server</summary><pre class="answer">${answer}</pre></details>`}`,
  }
}
