import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { readPages } from '../../../platform/input/cursor.ts'
import { Query } from '../../../platform/input/fields.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import { containsCardNumber } from '../../../platform/money/card-numbers.ts'
import {
  partOf,
  positionOf,
  readFilter,
  readPaymentPage,
  type ListScope,
  type PaymentFilter,
  type PaymentPage,
} from '../list-payments.ts'
import { listPayments, type ListFilter, type PaymentRow } from '../store.ts'
import { paymentGroups, type EndedFilter } from '../list-totals/ended-store.ts'
import { readSearch, searchMax, type Search } from './read-search.ts'
import { countFound, countListed, estimateListed, searchPayments } from './search-store.ts'

// The list for people: with the API's filters and a free search field. The export uses the same query as the list.

export { lastAttemptsOf, txRefsOf } from './glance-store.ts'
export { readSearch } from './read-search.ts'
export { paymentGroups } from '../list-totals/ended-store.ts'
export { paymentStates } from '../state-machine.ts'
export type { PaymentPage } from '../list-payments.ts'
export type { PaymentRow } from '../store.ts'

const pageSize = 500

type SearchRequest = PaymentFilter & { readonly search: Search | undefined }

/** `search` besides what the list of the API takes. */
export async function findPayments(db: Database, scope: ListScope, query: unknown): Promise<PaymentPage> {
  const fields = new Query(query)
  const asked = await readAsked(db, scope, fields)
  return readPaymentPage(db, fields, scope.merchantId, async (page) => read(db, asked, page))
}

/** Every payment that the list shows, page by page. Who takes personal data away is written down. */
export async function exportFound(
  db: Database,
  scope: ListScope,
  query: Readonly<Record<string, string>>,
  by: Actor,
): Promise<AsyncIterable<readonly PaymentRow[]>> {
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
  return readPages(pageSize, positionOf, async (part) => read(db, asked, partOf(part)))
}

function withoutCardNumbers(query: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, containsCardNumber(value) ? '[hidden]' : value]),
  )
}

/** `exact` up to `countMax`; beyond that the database's estimate. */
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
  return {
    ...filter,
    ...readEnded(fields),
    search: typeof typed === 'string' ? readSearch(typed) : undefined,
  }
}

/** The dashboard's extra filters: when a payment ended, and how. */
function readEnded(fields: Query): EndedFilter {
  const group = fields.value('group')
  return {
    group: paymentGroups.find((one) => one === group),
    endedFrom: fields.time('ended_from'),
    endedTo: fields.time('ended_to'),
    reversedFrom: fields.time('reversed_from'),
    reversedTo: fields.time('reversed_to'),
    why: fields.text('why', { max: 50 }),
  }
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
