import { inTransaction, type Database } from '../../database/database.ts'
import { Query } from '../../input/fields.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import { containsCardNumber } from '../../money/card-numbers.ts'
import { exportOf, type PaymentExport } from '../export-payments.ts'
import {
  readFilter,
  readPaymentPage,
  type ListScope,
  type PaymentFilter,
  type PaymentPage,
} from '../list-payments.ts'
import { listPayments, type ListFilter, type PaymentRow } from '../store.ts'
import { readSearch, searchMax, type Search } from './read-search.ts'
import { countFound, countListed, estimateListed, searchPayments } from './search-store.ts'

// The list as people use it: with the filters of the API and one field more, in which anything may stand. What is
// exported is what is listed, as both ask here.

export { lastAttemptsOf, txRefsOf } from './glance-store.ts'
export { readSearch } from './read-search.ts'
export { paymentStates } from '../state-machine.ts'
export type { PaymentPage } from '../list-payments.ts'
export type { PaymentRow } from '../store.ts'

type SearchRequest = PaymentFilter & { readonly search: Search | undefined }

/** `search` besides what the list of the API takes. */
export async function findPayments(db: Database, scope: ListScope, query: unknown): Promise<PaymentPage> {
  const fields = new Query(query)
  const asked = await readAsked(db, scope, fields)
  return readPaymentPage(db, fields, scope.merchantId, async (page) => read(db, asked, page))
}

/** Who takes personal data away is written down. */
export async function exportFound(
  db: Database,
  scope: ListScope,
  query: Readonly<Record<string, string>>,
  by: Actor,
): Promise<PaymentExport> {
  const fields = new Query(query)
  const asked = await readAsked(db, scope, fields)
  fields.checkAll()
  await inTransaction(db, async (tx) =>
    recordAct(tx, scope.merchantId, by, {
      action: 'payments.exported',
      subject: String(scope.merchantId),
      after: { mode: scope.mode, ...withoutCardNumbers(query) },
    }),
  )
  return exportOf(db, scope.merchantId, async (page) => read(db, asked, page))
}

function withoutCardNumbers(query: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, containsCardNumber(value) ? '[hidden]' : value]),
  )
}

/** `exact` up to `countMax`; from then on what the database reckons with. */
export type Count = { readonly count: number; readonly isExact: boolean }

export const countMax = 10_000

export async function countPayments(db: Database, scope: ListScope, query: unknown): Promise<Count> {
  const fields = new Query(query)
  const { search, ...filter } = await readAsked(db, scope, fields)
  fields.checkAll()
  const limit = countMax + 1
  const count = await (search
    ? countFound(db, { ...filter, search, limit })
    : countListed(db, { ...filter, limit }))
  if (count <= countMax) return { count, isExact: true }
  const reckoned = search ? 0 : await estimateListed(db, filter)
  return { count: Math.max(countMax, reckoned), isExact: false }
}

async function readAsked(db: Database, scope: ListScope, fields: Query): Promise<SearchRequest> {
  const filter = await readFilter(db, scope, fields)
  const typed = fields.value('search')
  if (typeof typed === 'string' && typed.length > searchMax)
    fields.fail('search', `must be at most ${searchMax} characters`)
  return { ...filter, search: typeof typed === 'string' ? readSearch(typed) : undefined }
}

async function read(
  db: Database,
  { search, ...filter }: SearchRequest,
  page: Pick<ListFilter, 'after' | 'limit'>,
): Promise<PaymentRow[]> {
  return search
    ? searchPayments(db, { ...filter, ...page, search })
    : listPayments(db, { ...filter, ...page })
}
