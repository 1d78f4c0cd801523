import { inTransaction } from '../../../platform/database/database.ts'
import { recordAct } from '../../../core/audit/audit.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readCustomer, readCustomers, type CustomerDetails } from '../customers.ts'
import { byPerson } from '../../../dashboard/people/people.ts'
import { eraseCustomer, exportCustomer } from '../../../core/privacy/customers.ts'
import type { Answer, MemberAsk, Route } from '../../../dashboard/ask.ts'
import { forMember, go, show } from '../../../dashboard/define-route.ts'
import { given, textIn } from '../../../dashboard/list-filter.ts'
import { readParts, type DashboardPart } from '../../../dashboard/slots.ts'
import { customerPage, eraseCustomerPage } from './customer-page.ts'
import { customerPath, customersPage } from './list-page.ts'

// Customers: a list, one customer, and what privacy law lets them ask for.

const emailMax = 254

const scopeOf = ({ place }: MemberAsk) => ({ merchantId: place.merchant.id, mode: place.mode })
const personOf = ({ own, visitor }: MemberAsk) => byPerson(own.person.id, visitor)

async function customerOf(
  ask: MemberAsk,
  values: Readonly<Record<string, string>>,
): Promise<CustomerDetails> {
  const found = await readCustomer(ask.core.db, scopeOf(ask), textIn(values, 'email', emailMax))
  if (!found) throw new Refusal('not_found', 'Customer not found')
  return found
}

async function showCustomer(ask: MemberAsk, parts: readonly DashboardPart[]): Promise<Answer> {
  const customer = await customerOf(ask, ask.query)
  const sections = await readParts(parts, (part) => part.customer?.(ask, customer))
  return show(customerPage(ask, { customer, sections }))
}

/** The audit log says that it was done, and not whose address it was. */
async function exportAll(ask: MemberAsk): Promise<Answer> {
  const { merchantId } = scopeOf(ask)
  const { email } = await customerOf(ask, Object.fromEntries(ask.fields))
  const found = await exportCustomer(ask.core.db, ask.dashboard.personalRooms, { merchantId, email })
  await inTransaction(ask.core.db, async (tx) =>
    recordAct(tx, merchantId, personOf(ask), {
      action: 'customer.exported',
      subject: String(merchantId),
      after: { payments: found?.['payments']?.length ?? 0 },
    }),
  )
  const written = { email, at: ask.core.now().toISOString(), merchant: merchantId, ...found }
  return {
    kind: 'csv',
    csv: {
      filename: `customer-${merchantId}.json`,
      type: 'application/json; charset=utf-8',
      pieces: (async function* pieces() {
        yield Buffer.from(JSON.stringify(written, undefined, 2))
      })(),
    },
  }
}

async function erase(ask: MemberAsk): Promise<Answer> {
  const { merchantId } = scopeOf(ask)
  const { email } = await customerOf(ask, Object.fromEntries(ask.fields))
  await eraseCustomer(ask.core.db, ask.dashboard.personalRooms, { merchantId, email }, personOf(ask))
  return { ...go(`${ask.place.home}/customers`), notice: 'customer_erased' }
}

export const customersPart: DashboardPart = {
  order: 50,
  customerPath,
}

export const customerRoutes = (parts: readonly DashboardPart[]): readonly Route[] => [
  forMember(
    'GET',
    '/customers',
    'payments.view',
    async (ask) => {
      const { cursor } = ask.query
      const page = await readCustomers(ask.core.db, scopeOf(ask), given({ cursor }))
      return show(customersPage(ask, page, cursor === undefined || cursor === ''))
    },
    { nav: { label: 'Customers', order: 22 } },
  ),
  forMember('GET', '/customers/one', 'payments.view', async (ask) => showCustomer(ask, parts)),
  forMember('POST', '/customers/one/do/export', 'customers.export', exportAll),
  forMember(
    'GET',
    '/customers/one/erase',
    'customers.erase',
    async (ask) => show(eraseCustomerPage(ask, await customerOf(ask, ask.query))),
    { isFresh: true },
  ),
  forMember('POST', '/customers/one/erase', 'customers.erase', erase, { isFresh: true }),
]
