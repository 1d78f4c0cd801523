import { Refusal } from '../../platform/errors/refusals.ts'
import { listNotifications } from '../../core/notifications/list-notifications.ts'
import { resendNotification } from '../../core/notifications/resend.ts'
import { cancelPayment } from '../../core/payments/cancel-payment.ts'
import { addNote, takeBackNote } from '../../core/payments/support/notes.ts'
import { readStory } from '../../core/payments/support/payment-story.ts'
import {
  countPayments,
  exportFound,
  findPayments,
  lastAttemptsOf,
  type PaymentRow,
} from '../../core/payments/support/search-payments.ts'
import { exportPages } from '../../core/payments/export-payments.ts'
import { projectNamesOf } from '../../core/payments/project-names.ts'
import { lookedUpJson, type PaymentMembers } from '../../core/payments/slots/payment-members.ts'
import { namesOf } from '../people/find-person.ts'
import { byPerson } from '../people/people.ts'
import { hasRight } from '../people/rights.ts'
import { csvStyleNames, styleNamed } from '../../core/merchants/brand/csv-style.ts'
import { dayAt } from '../../core/merchants/brand/end-of-day.ts'
import type { Answer, MemberAsk, Route } from '../ask.ts'
import { forMember, go, show } from '../define-route.ts'
import { idIn } from '../once.ts'
import type { NoticeName } from '../notices.ts'
import type { Mistakes } from '../parts/parts.ts'
import { readParts, customerPathIn, type DashboardPart } from '../slots.ts'
import { cancelPage } from './cancel-page.ts'
import { exportPage } from './export-page.ts'
import { askedOf, fieldOf, listPath, paymentPath, readFilter } from './filter.ts'
import { hideCardData } from './hide-card-data.ts'
import { indentJson } from './indent-json.ts'
import { listPage } from './list-page.ts'
import type { PaymentModel } from './model.ts'
import { jsonPage, paymentPage } from './payment-page.ts'
import { keyOf, orSayWhyNot, paymentOf } from './payment-of.ts'

// Payments: the list, one payment by its number, and its actions. /by-ref/:tx_ref redirects to the number.

const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })
const zoneOf = ({ place }: MemberAsk) => place.merchant.brand.timeZone
const personOf = ({ own, visitor }: MemberAsk) => byPerson(own.person.id, visitor)

async function list(ask: MemberAsk): Promise<Answer> {
  const filter = readFilter((name) => ask.query[name])
  const { cursor } = ask.query
  const isFirstPage = cursor === undefined || cursor === ''
  try {
    const asked = { ...askedOf(filter, zoneOf(ask)), ...(!isFirstPage && { cursor }) }
    const [page, count] = await Promise.all([
      findPayments(ask.core.db, scopeOf(ask), asked),
      filter.by !== '' && isFirstPage
        ? countPayments(ask.core.db, scopeOf(ask), askedOf(filter, zoneOf(ask)))
        : undefined,
    ])
    const pending = page.payments.filter(({ state }) => state === 'pending').map(({ number }) => number)
    const lastAttempts = await lastAttemptsOf(ask.core.db, scopeOf(ask).merchantId, pending)
    return show(listPage(ask, { filter, page, lastAttempts, isFirstPage, count }))
  } catch (error) {
    return show(listPage(ask, { filter, page: undefined, isFirstPage, mistakes: mistakesIn(error) }), 400)
  }
}

/** Mistakes in the filters; rethrows any other error. */
function mistakesIn(error: unknown): Mistakes {
  if (!(error instanceof Refusal) || error.code !== 'validation_failed') throw error
  const found = Object.entries(error.errors ?? {})
  return Object.fromEntries(
    found.map(([name, [sentence = '']]) => {
      const field = fieldOf(name)
      return [field === 'cursor' ? 'form' : field, sentence.replace(name, field)]
    }),
  )
}

async function startExport(ask: MemberAsk): Promise<Answer> {
  const filter = readFilter((name) => ask.query[name])
  try {
    return show(
      exportPage(ask, filter, await countPayments(ask.core.db, scopeOf(ask), askedOf(filter, zoneOf(ask)))),
    )
  } catch (error) {
    return show(exportPage(ask, filter, undefined, mistakesIn(error)), 400)
  }
}

async function download(ask: MemberAsk, parts: readonly DashboardPart[]): Promise<Answer> {
  const filter = readFilter((name) => ask.fields.get(name))
  try {
    const { db } = ask.core
    const fileOf = parts.find((part) => part.paymentsFile)?.paymentsFile ?? exportPages
    const pages = await exportFound(db, scopeOf(ask), askedOf(filter, zoneOf(ask)), personOf(ask))
    const chosen = csvStyleNames.find((name) => name === ask.fields.get('style'))
    const days =
      filter.from !== '' && filter.to !== ''
        ? `${filter.from}-${filter.to}`
        : dayAt(ask.core.now(), zoneOf(ask))
    const csv = {
      ...fileOf(db, scopeOf(ask).merchantId, pages),
      filename: `payments-${ask.place.mode}-${days}.csv`,
      ...(chosen && { style: styleNamed(chosen, zoneOf(ask)) }),
    }
    return { kind: 'csv', csv }
  } catch (error) {
    return show(exportPage(ask, filter, undefined, mistakesIn(error)), 400)
  }
}

async function readModel(
  ask: MemberAsk,
  payment: PaymentRow,
  parts: readonly DashboardPart[],
): Promise<PaymentModel> {
  const { db } = ask.core
  const key = keyOf(payment)
  const maySee = hasRight(ask.place.role, 'notifications.view')
  const [story, notifications, projects] = await Promise.all([
    readStory(db, key),
    maySee ? listNotifications(db, key) : [],
    projectNamesOf(db, key.merchantId, [payment]),
  ])
  const authors = [
    ...story.notes.map(({ author }) => author),
    ...story.history.flatMap(({ actor }) => (actor === null ? [] : [actor])),
  ]
  const shown = { payment, ...story }
  const [names, added] = await Promise.all([
    namesOf(ask.people, authors),
    readParts(parts, (part) => part.payment?.(ask, shown)),
  ])
  const projectName = projects.get(payment.project_id ?? '')
  const customerPath = customerPathIn(parts, ask, payment.email)
  return { ...shown, parts: added, customerPath, notifications, names, projectName }
}

function done(ask: MemberAsk, payment: PaymentRow, notice: NoticeName): Answer {
  return { ...go(paymentPath(ask, payment)), notice }
}

export const paymentsRoutes = (
  parts: readonly DashboardPart[],
  members: PaymentMembers,
): readonly Route[] => [
  forMember('GET', '/payments', 'payments.view', list, { nav: { label: 'Payments', order: 20 } }),
  forMember('GET', '/payments/all/export', 'payments.export', startExport),
  forMember('POST', '/payments/all/export', 'payments.export', async (ask) => download(ask, parts)),
  forMember('GET', '/payments/by-ref/:tx_ref', 'payments.view', async (ask) => {
    const { merchantId, mode } = scopeOf(ask)
    const payment = await ask.dashboard.findPayment(merchantId, mode, ask.params['tx_ref'] ?? '')
    return go(paymentPath(ask, payment))
  }),
  forMember('GET', '/payments/:number', 'payments.view', async (ask) => {
    const name = ask.params['number'] ?? ''
    // An old bookmark with a tx_ref. Only 24 digits are a payment number.
    if (!/^\d{24}$/.test(name)) return go(`${listPath(ask)}/by-ref/${encodeURIComponent(name)}`)
    const payment = await paymentOf(ask)
    return show(paymentPage(ask, await readModel(ask, payment, parts)))
  }),
  forMember('GET', '/payments/:number/json', 'payments.view', async (ask) => {
    const payment = await paymentOf(ask)
    const json = await lookedUpJson(members, payment, ask.dashboard.baseUrl)
    const text = `{"status":"success","message":"Payment details","data":${json}}`
    return show(jsonPage(ask, payment, indentJson(hideCardData(text))))
  }),
  forMember('GET', '/payments/:number/cancel', 'payments.cancel', async (ask) =>
    show(cancelPage(ask, await paymentOf(ask))),
  ),
  forMember('POST', '/payments/:number/cancel', 'payments.cancel', async (ask) => {
    const payment = await paymentOf(ask)
    return orSayWhyNot(
      async () => {
        await cancelPayment(ask.dashboard.paying, keyOf(payment), personOf(ask))
        return done(ask, payment, 'payment_cancelled')
      },
      async (mistakes) => cancelPage(ask, await paymentOf(ask), mistakes),
    )
  }),
  forMember('POST', '/payments/:number/do/resend', 'notifications.resend', async (ask) => {
    const payment = await paymentOf(ask)
    const of = { ...keyOf(payment), mode: payment.mode, id: ask.fields.get('id') ?? '' }
    await resendNotification(ask.dashboard.notifications, of, personOf(ask))
    return done(ask, payment, 'notification_resent')
  }),
  forMember('POST', '/payments/:number/do/note', 'payments.note', async (ask) => {
    const payment = await paymentOf(ask)
    const typedNote = ask.fields.get('note') ?? ''
    return orSayWhyNot(
      async () => {
        const note = { id: idIn(ask.fields, 'note'), typed: typedNote }
        await addNote(ask.core.db, keyOf(payment), note, personOf(ask))
        return done(ask, payment, 'note_added')
      },
      async (mistakes) =>
        paymentPage(ask, { ...(await readModel(ask, payment, parts)), typedNote }, mistakes),
    )
  }),
  forMember('POST', '/payments/:number/do/take-back-note', 'payments.note', async (ask) => {
    const payment = await paymentOf(ask)
    await takeBackNote(ask.core.db, keyOf(payment), ask.fields.get('id') ?? '', personOf(ask))
    return done(ask, payment, 'note_deleted')
  }),
]
