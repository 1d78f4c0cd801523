import { randomBase62 } from '../../../platform/database/random-id.ts'
import { displayAmount } from '../../../platform/money/money.ts'
import { readStory } from '../../../core/payments/support/payment-story.ts'
import type { PaymentRow } from '../../../core/payments/support/search-payments.ts'
import { byPerson } from '../../../dashboard/people/people.ts'
import { leftToRefund } from '../find-refunds.ts'
import type { Refunding } from '../refunding.ts'
import { requestRefund } from '../request-refund.ts'
import type { MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, go, show } from '../../../dashboard/define-route.ts'
import type { NoticeName } from '../../../dashboard/notices.ts'
import { readParts, type DashboardPart } from '../../../dashboard/slots.ts'
import type { Html } from '../../../platform/http/html.ts'
import { confirmRefundPage, refundFormPage, type RefundModel } from './form-pages.ts'
import { paymentPath } from '../../../dashboard/payments/filter.ts'
import { keyOf, orSayWhyNot, paymentOf } from '../../../dashboard/payments/payment-of.ts'
import { readRefundForm, type TypedRefund } from './read-refund-form.ts'

// Refunds: a form, a confirmation, the refund. The form carries its refund_ref, so sending it twice makes one refund.

const fresh = { isFresh: true }

async function modelOf(ask: MemberAsk, payment: PaymentRow): Promise<RefundModel> {
  const { fields } = ask
  const given = fields.get('refund_ref') ?? ''
  return {
    payment,
    leftMinor: await leftToRefund(ask.core.db, payment),
    refundRef: /^dashboard-\w{16}$/.test(given) ? given : `dashboard-${randomBase62(16)}`,
    ...(fields.has('amount') && { typed: { amount: fields.get('amount'), reason: fields.get('reason') } }),
  }
}

function requestIn({ fields }: MemberAsk, { payment, refundRef }: RefundModel): TypedRefund {
  return readRefundForm(fields, refundRef, payment.currency)
}

const notices: Readonly<Record<string, NoticeName>> = {
  succeeded: 'refund_done',
  failed: 'refund_failed',
}

export const refundFormRoutes = (refunding: Refunding, parts: readonly DashboardPart[]): readonly Route[] => [
  forMember(
    'GET',
    '/payments/:number/refund',
    'payments.refund',
    async (ask) => show(refundFormPage(ask, await modelOf(ask, await paymentOf(ask)))),
    fresh,
  ),
  forMember(
    'POST',
    '/payments/:number/refund',
    'payments.refund',
    async (ask) => {
      const payment = await paymentOf(ask)
      const model = await modelOf(ask, payment)
      return orSayWhyNot(
        async () => {
          const request = requestIn(ask, model)
          if (request.amountMinor > model.leftMinor) {
            const mistakes = { amount: 'This is more than what is left to refund' }
            return show(refundFormPage(ask, model, mistakes), 400)
          }
          const { attempts } = await readStory(ask.core.db, keyOf(payment))
          const paidBy = attempts.find(({ state }) => state === 'succeeded')
          const left = model.leftMinor - request.amountMinor
          const [kept = displayAmount(left, payment.currency, 'en-GB')] = await readParts<Html | string>(
            parts,
            ({ refund }) => refund?.kept(ask, payment, left),
          )
          return show(confirmRefundPage(ask, { ...model, request, paidBy, kept }))
        },
        async (mistakes) => refundFormPage(ask, model, mistakes),
      )
    },
    fresh,
  ),
  forMember(
    'POST',
    '/payments/:number/refund/do/confirm',
    'payments.refund',
    async (ask) => {
      const payment = await paymentOf(ask)
      const model = await modelOf(ask, payment)
      return orSayWhyNot(
        async () => {
          const by = byPerson(ask.own.person.id, ask.visitor)
          const { refund } = await requestRefund(refunding, payment, requestIn(ask, model), by)
          return { ...go(paymentPath(ask, payment)), notice: notices[refund.state] ?? 'refund_asked' }
        },
        async (mistakes) =>
          // A new refund_ref: the refused one may belong to another refund.
          refundFormPage(ask, { ...model, refundRef: `dashboard-${randomBase62(16)}` }, mistakes),
      )
    },
    fresh,
  ),
]
