import { inTransaction } from '../../../platform/database/database.ts'
import { recordAct } from '../../../core/audit/audit.ts'
import { byPerson } from '../../../dashboard/people/people.ts'
import { hasRight } from '../../../dashboard/people/rights.ts'
import { exportRefunds } from '../export-refunds.ts'
import { readRefund } from '../find-refunds.ts'
import { listRefunds } from '../list-refunds.ts'
import { refundStatuses } from '../state-machine.ts'
import type { MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, show } from '../../../dashboard/define-route.ts'
import { beginningOf, choiceIn, endingOf, dayIn, given, textIn } from '../../../dashboard/list-filter.ts'
import { readParts, type DashboardPart } from '../../../dashboard/slots.ts'
import { refundPage } from './refund-page.ts'
import { refundsPage, type RefundFilter } from './refunds-page.ts'

// A shop's refunds. People make them on the payment's page.

function filterIn(values: Readonly<Record<string, string>>): RefundFilter {
  return {
    q: textIn(values, 'q', 255),
    status: choiceIn(values, 'status', refundStatuses),
    currency: currencyIn(values),
    by: choiceIn(values, 'by', ['done'] as const),
    from: dayIn(values, 'from'),
    to: dayIn(values, 'to'),
  }
}

function currencyIn(values: Readonly<Record<string, string>>): string {
  const code = (values['currency'] ?? '').toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : ''
}

/** The caller and the query for the refund list. */
function questionOf({ place }: MemberAsk, { q, status, currency, by, from, to }: RefundFilter) {
  const { timeZone } = place.merchant.brand
  const [start, end] = [beginningOf(from, timeZone), endingOf(to, timeZone)]
  // Filters that only people have.
  const asked = given({ named: q, currency, ...(by === 'done' && { wentBackFrom: start, wentBackTo: end }) })
  const caller = { merchantId: place.merchant.id, mode: place.mode, ...asked }
  const query = given({ status, ...(by === '' && { created_from: start, created_to: end }) })
  return { caller, asked, query }
}

export const refundRoutes = (parts: readonly DashboardPart[]): readonly Route[] => [
  forMember(
    'GET',
    '/refunds',
    'payments.view',
    async (ask) => {
      const filter = filterIn(ask.query)
      const { caller, query } = questionOf(ask, filter)
      const cursor = ask.query['cursor']
      const page = await listRefunds(ask.core.db, caller, { ...query, ...given({ cursor }) })
      const mayExport = hasRight(ask.place.role, 'payments.export')
      return show(refundsPage(ask, { ...page, filter, isFirst: cursor === undefined, mayExport }))
    },
    { nav: { label: 'Refunds', order: 24 } },
  ),
  // Exports are recorded in the audit log.
  forMember('POST', '/refunds/do/export', 'payments.export', async (ask) => {
    const { id } = ask.place.merchant
    const { caller, asked, query } = questionOf(ask, filterIn(Object.fromEntries(ask.fields)))
    const file = exportRefunds(ask.core.db, caller, query)
    await inTransaction(ask.core.db, async (tx) =>
      recordAct(tx, id, byPerson(ask.own.person.id, ask.visitor), {
        action: 'refunds.exported',
        subject: String(id),
        after: { mode: ask.place.mode, ...query, ...asked },
      }),
    )
    return { kind: 'csv', csv: { ...file, filename: `refunds-${id}-${ask.place.mode}.csv` } }
  }),
  forMember('GET', '/refunds/:refund', 'payments.view', async (ask) => {
    const { merchant, mode } = ask.place
    const id = ask.params['refund'] ?? ''
    const found = await readRefund(ask.core.db, { merchantId: merchant.id, mode, id })
    const added = await readParts(parts, ({ refund }) => refund?.facts(ask, found.refund))
    return show(refundPage(ask, { ...found, added: added.flat() }))
  }),
]
