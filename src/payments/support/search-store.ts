import type { Queryable } from '../../database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../database/sql.ts'
import { furtherRules, paymentColumns, type ListFilter, type PaymentRow } from '../store.ts'
import type { Search } from './read-search.ts'

// Payments that people look for. Each way to read what they typed is a look into one index, and no look reads more than
// `matchesMax` rows, so a search costs the same among a thousand payments and among millions.
//
// References and names of payments that are pending stand in no index, as each would make every new payment dearer. They
// are looked for among the latest ones: what is older has ended, as links run out.

const matchesMax = 1_000
const latestMax = 5_000

export type SearchFilter = ListFilter & { readonly search: Search }

/** Newest first. */
export async function searchPayments(db: Queryable, filter: SearchFilter): Promise<PaymentRow[]> {
  // Without other filters, matches are sorted before their rows are read: 25 instead of a thousand.
  const statement = sql`
    select ${paymentColumns} from (${isFiltered(filter) ? found(filter) : newestFound(filter)}) as found
    join payments on payments.merchant_id = ${filter.merchantId} and payments.number = found.number
    where payments.mode = ${filter.mode} ${furtherRules(filter)}
    order by payments.created_at desc, payments.number desc limit ${filter.limit}`
  return db.query<PaymentRow>(planEachTime(statement))
}

/** At most `limit`. */
export async function countFound(db: Queryable, filter: SearchFilter): Promise<number> {
  const statement = sql`
    select count(*)::integer as count from (
      select from (${found(filter)}) as found
      join payments on payments.merchant_id = ${filter.merchantId} and payments.number = found.number
      where payments.mode = ${filter.mode} ${furtherRules(filter)}
      limit ${filter.limit}
    ) as counted`
  const rows = await db.query<{ count: number }>(planEachTime(statement))
  return rows[0]?.count ?? 0
}

/** At most `limit`. */
export async function countListed(db: Queryable, filter: ListFilter): Promise<number> {
  const statement = sql`
    select count(*)::integer as count from (
      select from payments
      where merchant_id = ${filter.merchantId} and mode = ${filter.mode} ${furtherRules(filter)}
      limit ${filter.limit}
    ) as counted`
  const rows = await db.query<{ count: number }>(planEachTime(statement))
  return rows[0]?.count ?? 0
}

/** PostgreSQL's estimate, from its statistics. Reads no row. */
export async function estimateListed(db: Queryable, filter: Omit<ListFilter, 'limit'>): Promise<number> {
  const statement = sql`
    explain (format json) select from payments
    where merchant_id = ${filter.merchantId} and mode = ${filter.mode} ${furtherRules(filter)}`
  type Explained = { readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[] }
  const rows = await db.query<Explained>(planEachTime(statement))
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}

function isFiltered(filter: SearchFilter): boolean {
  const always = ['merchantId', 'mode', 'search', 'after', 'limit']
  return Object.entries(filter).some(([name, rule]) => rule !== undefined && !always.includes(name))
}

function newestFound(filter: SearchFilter): Sql {
  const { after, limit } = filter
  const isOlder = after
    ? sql`(found.created_at, found.number) < (${after.createdAt}, ${after.number})`
    : sql`true`
  return sql`
    select found.number from (${found(filter)}) as found where ${isOlder}
    order by found.created_at desc, found.number desc limit ${limit}`
}

/** Numbers, and when they were created. */
function found(filter: SearchFilter): Sql {
  const { search } = filter
  const looks = [
    ...(search.number ? [byNumber(filter, search.number)] : []),
    ...(search.txRefs.length > 0 ? [byTxRef(filter, search.txRefs)] : []),
    ...(search.txRefStart === undefined ? [] : [byTxRefStart(filter, search.txRefStart)]),
    ...(search.reference === undefined ? [] : [byReference(filter, search.reference)]),
    ...(search.last4 === undefined ? [] : [byLast4(filter, search.last4)]),
    ...(search.email === undefined ? [] : [byEmail(filter, search.email)]),
    ...(search.emailStart === undefined ? [] : [byEmailStart(filter, search.emailStart)]),
    ...search.names.map((name) => byName(filter, name)),
    ...(search.reference === undefined && search.names.length === 0 ? [] : [amongLatest(filter)]),
  ]
  return join(
    looks.map((look) => sql`(${look})`),
    ' union ',
  )
}

function byNumber({ merchantId, mode }: SearchFilter, asked: NonNullable<Search['number']>): Sql {
  const isOurs = asked.merchantId === undefined || asked.merchantId === merchantId
  return sql`
    select payments.number, payments.created_at from payments
    where payments.merchant_id = ${merchantId} and payments.number = ${asked.number} and payments.mode = ${mode}
      and ${isOurs}::boolean`
}

function byTxRef({ merchantId, mode }: SearchFilter, txRefs: readonly string[]): Sql {
  return sql`
    select payments.number, payments.created_at from payments
    where payments.merchant_id = ${merchantId} and payments.mode = ${mode} and payments.tx_ref = any(${txRefs}::text[])`
}

/** The last in their order, which are the newest of those counted. */
function byTxRefStart({ merchantId, mode }: SearchFilter, start: string): Sql {
  return sql`
    select payments.number, payments.created_at from payments
    where payments.merchant_id = ${merchantId} and payments.mode = ${mode} and payments.tx_ref like ${startOf(start)}
    order by payments.tx_ref desc limit ${matchesMax}`
}

function byReference({ merchantId, mode }: SearchFilter, reference: string): Sql {
  return sql`
    select payments.number, payments.created_at from payments
    where payments.merchant_id = ${merchantId} and payments.reference = ${reference} and payments.mode = ${mode}
      and payments.state <> 'pending'`
}

/** The most recently paid ones. */
function byLast4({ merchantId, mode }: SearchFilter, last4: string): Sql {
  return sql`
    select attempts.number, payments.created_at from attempts
    join payments on payments.merchant_id = ${merchantId} and payments.number = attempts.number
      and payments.mode = ${mode}
    where attempts.merchant_id = ${merchantId} and attempts.card_last4 = ${last4} and attempts.state = 'succeeded'
    order by attempts.started_at desc limit ${matchesMax}`
}

/** All there are: a customer may have more than `matchesMax`, and the index has them in the order of the list. */
function byEmail(filter: SearchFilter, email: string): Sql {
  return sql`
    select payments.number, payments.created_at from payments
    where payments.merchant_id = ${filter.merchantId} and payments.mode = ${filter.mode}
      and lower(payments.email) = lower(${email}) ${furtherRules(filter)}
    order by payments.created_at desc, payments.number desc limit ${filter.limit}`
}

function byEmailStart({ merchantId, mode }: SearchFilter, start: string): Sql {
  return sql`
    select payments.number, payments.created_at from payments
    where payments.merchant_id = ${merchantId} and payments.mode = ${mode}
      and lower(payments.email) like lower(${startOf(start)})
    order by lower(payments.email) using ~<~, payments.created_at desc limit ${matchesMax}`
}

function byName({ merchantId, mode }: SearchFilter, name: Search['names'][number]): Sql {
  const first =
    name.first === '' ? sql`true` : sql`lower(payments.first_name) like lower(${startOf(name.first)})`
  return sql`
    select payments.number, payments.created_at from payments
    where payments.merchant_id = ${merchantId} and payments.mode = ${mode} and payments.state <> 'pending'
      and lower(payments.last_name) like lower(${startOf(name.last)}) and ${first}
    order by lower(payments.last_name) using ~<~, payments.created_at desc limit ${matchesMax}`
}

function amongLatest({ merchantId, mode, search }: SearchFilter): Sql {
  const rules = search.names.map(({ last, first }) =>
    first === ''
      ? sql`lower(latest.last_name) like lower(${startOf(last)}) or lower(latest.first_name) like lower(${startOf(last)})`
      : sql`lower(latest.last_name) like lower(${startOf(last)}) and lower(latest.first_name) like lower(${startOf(first)})`,
  )
  if (search.reference !== undefined) rules.push(sql`latest.reference = ${search.reference}`)
  return sql`
    select latest.number, latest.created_at from (
      select payments.number, payments.created_at, payments.reference, payments.first_name, payments.last_name from payments
      where payments.merchant_id = ${merchantId} and payments.mode = ${mode}
      order by payments.created_at desc, payments.number desc limit ${latestMax}
    ) as latest
    where ${join(rules, ' or ')}
    order by latest.created_at desc, latest.number desc limit ${matchesMax}`
}

/** Whatever begins with this text. */
function startOf(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
