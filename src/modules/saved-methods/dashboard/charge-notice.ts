import { html, type Html } from '../../../platform/http/html.ts'
import { describeReason } from '../../../core/payments/attempts/describe-reason.ts'
import { readSaving, type Saving, type ShownChargeFailure } from '../../../core/payments/saving/saving.ts'
import type { PaymentRow } from '../../../core/payments/support/search-payments.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import type { MemberAsk } from '../../../dashboard/ask.ts'
import { formatExactly, shopTime } from '../../../dashboard/parts/parts.ts'
import type { Fact } from '../../../dashboard/parts/things.ts'
import { describeAgreement, methodPath, nameOfSaved } from './words.ts'

// On the page of a payment that saved a method, or charged one without the customer.

/** Which method it saves, saved or charged. */
export function savedFacts(ask: MemberAsk, payment: PaymentRow): Fact[] {
  const saving = readSaving(payment)
  if (!saving) return []
  return [
    [saving.charges === undefined ? 'Saved as' : 'Charged from', methodLink(ask, saving)],
    ['Customer agrees to', saving.asked && describeAgreement(saving.asked.agreement)],
    ['Your reference for them', saving.asked && html`<code>${saving.asked.customerRef}</code>`],
  ]
}

function methodLink(ask: MemberAsk, { method }: Saving): Html | undefined {
  return method && html`<a href="${methodPath(ask, method.id)}">${nameOfSaved(method)}</a>`
}

/** Why a charge without the customer failed, and what to do next. */
export function chargeFailureNotice(ask: MemberAsk, payment: PaymentRow): Html | undefined {
  const { failure, charges } = readSaving(payment) ?? {}
  const isOpen = payment.state === 'pending' || payment.state === 'failed'
  if (!failure || charges === undefined || !isOpen) return undefined
  const [title, next] = wordsOf(ask, failure)
  const mayCharge = failure.mayRetry && hasRight(ask.place.role, 'payments.refund')
  return html`<div class="problem warn">
    <h2>${title}</h2>
    <p>${next}</p>
    ${mayCharge && html`<div><a class="button plain" href="${methodPath(ask, charges)}">Go to the saved method</a></div>`}
  </div>`
}

function wordsOf(ask: MemberAsk, failure: ShownChargeFailure): readonly [title: string, next: string] {
  const why = describeReason(failure.reason)
  const words: Readonly<Record<ShownChargeFailure['code'], readonly [string, string]>> = {
    declined: [
      'The charge was declined',
      `${why}. You can charge the method again ${whenAgain(ask, failure)}.`,
    ],
    needs_customer: [
      'The bank wants the customer to approve this charge',
      'No money has been taken. Send them the payment link below: they approve it there, or pay another way.',
    ],
    method_ended: [
      'The saved method can’t be charged any more',
      `${why}. Ask the customer to pay once more and save another one.`,
    ],
    network_silent: [
      'The network never received this charge',
      'No money was taken. You can charge the method again now.',
    ],
  }
  return words[failure.code]
}

function whenAgain(ask: MemberAsk, { retryAfter }: ShownChargeFailure): string {
  const at = retryAfter === undefined ? undefined : new Date(retryAfter)
  const now = shopTime(ask)
  return at && at > now ? `after ${formatExactly(at, now)}` : 'now'
}
