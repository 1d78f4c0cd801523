import { randomBase62 } from '../../../platform/database/random-id.ts'
import { findPaymentByNumber, type PaymentRow } from '../../../core/payments/find-payment.ts'
import { readSaving } from '../../../core/payments/saving/saving.ts'
import { byPerson } from '../../../dashboard/people/people.ts'
import { chargeMethod } from '../charge-method.ts'
import { consentsOf } from '../consents.ts'
import { endMethod } from '../end-method.ts'
import { chargesOf, readMethod } from '../find-methods.ts'
import type { MethodKeeping } from '../keeping.ts'
import { readRules } from '../rules.ts'
import type { Answer, MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, go, show } from '../../../dashboard/define-route.ts'
import type { NoticeName } from '../../../dashboard/notices.ts'
import { inLabels } from '../../../dashboard/settings/parts.ts'
import { customerPathIn, type DashboardPart } from '../../../dashboard/slots.ts'
import { paymentPath } from '../../../dashboard/payments/filter.ts'
import { orSayWhyNot } from '../../../dashboard/payments/payment-of.ts'
import { chargeSavedPage, confirmChargePage, type ChargeModel } from './charge-page.ts'
import { endMethodPage, methodPage } from './method-page.ts'
import { readChargeForm } from './read-charge-form.ts'
import { methodPath } from './words.ts'

// One saved method: its page, charging it by hand and ending it. The charge form carries its tx_ref, so sending it twice
// makes one charge.

const fresh = { isFresh: true }
const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })
const personOf = ({ own, visitor }: MemberAsk) => byPerson(own.person.id, visitor)

async function modelOf(ask: MemberAsk): Promise<ChargeModel> {
  const { db } = ask.core
  const { merchantId, mode } = scopeOf(ask)
  const method = await readMethod(db, { merchantId, mode }, ask.params['method'] ?? '')
  const first = await findPaymentByNumber(db, { merchantId, number: method.number }, mode)
  return { method, first, txRef: `dashboard-${randomBase62(16)}` }
}

async function showMethod(ask: MemberAsk, parts: readonly DashboardPart[]): Promise<Answer> {
  const { db } = ask.core
  const { method, first } = await modelOf(ask)
  const [charges, [consent], rules] = await Promise.all([
    chargesOf(db, method),
    consentsOf(db, { merchantId: method.merchant_id, number: method.number }),
    readRules(db, scopeOf(ask)),
  ])
  const customerPath = customerPathIn(parts, ask, first.email)
  return show(methodPage(ask, { method, first, charges, customerPath, consent, rules }))
}

const labels = { amount: 'Amount', description: 'What it is for', tx_ref: 'Your reference' }

/** The form again, with what was refused. */
async function orShowForm(ask: MemberAsk, work: (model: ChargeModel) => Promise<Answer>): Promise<Answer> {
  const model = await modelOf(ask)
  return orSayWhyNot(
    async () => work(model),
    async (mistakes) => chargeSavedPage(ask, model, ask.fields, inLabels(mistakes, labels)),
  )
}

async function charge(keeping: MethodKeeping, ask: MemberAsk, { method }: ChargeModel): Promise<Answer> {
  const { place } = ask
  const request = readChargeForm(ask.fields, place.mode)
  const { payment } = await chargeMethod(keeping, place, method.id, request, personOf(ask))
  return { ...go(paymentPath(ask, payment)), notice: noticeOf(payment) }
}

function noticeOf(payment: PaymentRow): NoticeName {
  if (payment.state === 'failed') return 'saved_charge_failed'
  if (payment.state !== 'pending') return 'saved_charge_done'
  return readSaving(payment)?.failure === undefined ? 'saved_charge_sent' : 'saved_charge_open'
}

export const savedMethodRoutes = (
  keeping: MethodKeeping,
  parts: readonly DashboardPart[],
): readonly Route[] => [
  forMember('GET', '/saved-methods/:method', 'payments.view', async (ask) => showMethod(ask, parts)),
  forMember(
    'GET',
    '/saved-methods/:method/charge',
    'payments.refund',
    async (ask) => show(chargeSavedPage(ask, await modelOf(ask))),
    fresh,
  ),
  forMember(
    'POST',
    '/saved-methods/:method/charge',
    'payments.refund',
    async (ask) =>
      orShowForm(ask, async (model) =>
        show(confirmChargePage(ask, model, readChargeForm(ask.fields, ask.place.mode))),
      ),
    fresh,
  ),
  forMember(
    'POST',
    '/saved-methods/:method/charge/do/confirm',
    'payments.refund',
    async (ask) => orShowForm(ask, async (model) => charge(keeping, ask, model)),
    fresh,
  ),
  forMember(
    'GET',
    '/saved-methods/:method/end',
    'payments.refund',
    async (ask) => show(endMethodPage(ask, await modelOf(ask))),
    fresh,
  ),
  forMember(
    'POST',
    '/saved-methods/:method/end',
    'payments.refund',
    async (ask) => {
      const { method } = await modelOf(ask)
      await endMethod(keeping, scopeOf(ask), method.id, personOf(ask))
      return { ...go(methodPath(ask, method.id)), notice: 'method_ended' }
    },
    fresh,
  ),
]
