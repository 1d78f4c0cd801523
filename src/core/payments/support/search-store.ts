import type { Queryable } from '../../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import { findEntries, listSlices, readUnindexed, type Found, type Slice } from '../search/entry-store.ts'
import { isIn, textOf } from '../search/grams.ts'
import { furtherRules, paymentColumns, type ListFilter, type PaymentRow } from '../store.ts'
import type { Search } from './read-search.ts'

// Payments that people look for: by what names exactly one or a customer, by parts of what is written on them, and among
// the payments of the last minute, which have no search entries yet.

const matchesMax = 1_000
const latestMax = 5_000
/** Common words fill a page from the newest slices; for a rare one all slices are read in a few statements. */
const slicesAtFirst = 2
const slicesMax = 64

export type SearchFilter = ListFilter & { readonly search: Search }

/** Newest first. */
export async function searchPayments(db: Queryable, filter: SearchFilter): Promise<PaymentRow[]> {
  const numbers = (await findNumbers(db, filter)).map(({ number }) => number)
  if (numbers.length === 0) return []
  return db.query<PaymentRow>(
    planEachTime(sql`
      select ${paymentColumns} from payments
      where payments.merchant_id = ${filter.merchantId} and payments.mode = ${filter.mode}
        and payments.number = any(${numbers}::text[])
      order by payments.created_at desc, payments.number desc`),
  )
}

/** At most `limit`. */
export async function countFound(db: Queryable, filter: SearchFilter): Promise<number> {
  return (await findNumbers(db, filter)).length
}

async function findNumbers(db: Queryable, filter: SearchFilter): Promise<Found[]> {
  const slices = filter.search.needles.length === 0 ? [] : await listSlices(db, filter)
  const found = await Promise.all([
    findExactly(db, filter),
    findUnindexed(db, filter, slices[0]),
    findIndexed(db, filter, slices),
  ])
  return newest(found.flat(), filter.limit)
}

function newest(found: readonly Found[], limit: number): Found[] {
  const each = [...new Map(found.map((one) => [one.number, one])).values()]
  return each.toSorted((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, limit)
}

function isNewer(one: Found, other: Found): boolean {
  if (one.created_at === other.created_at) return one.number > other.number
  return one.created_at > other.created_at
}

/** From the newest slice on, until there are enough. */
async function findIndexed(db: Queryable, filter: SearchFilter, slices: readonly Slice[]): Promise<Found[]> {
  const { search, after, createdFrom, createdTo, limit } = filter
  const left = slices
    .filter(({ from_at }) => isBefore(from_at, after?.createdAt) && isBefore(from_at, createdTo))
    .filter(({ until_at }) => createdFrom === undefined || isBefore(createdFrom, until_at))
    .map(({ slice }) => slice)
  const found: Found[] = []
  for (
    let size = slicesAtFirst;
    left.length > 0 && found.length < limit;
    size = Math.min(2 * size, slicesMax)
  )
    found.push(...(await findEntries(db, { ...filter, needles: search.needles }, left.splice(0, size))))
  return found
}

/** Times with and without microseconds: what is too much by a moment is filtered by the statement. */
function isBefore(one: string | Date, other: string | Date | undefined): boolean {
  return other === undefined || Math.floor(Number(new Date(one))) <= Math.floor(Number(new Date(other)))
}

/** Folding is ours and not the database's, so these payments are compared here. */
async function findUnindexed(db: Queryable, filter: SearchFilter, last: Slice | undefined): Promise<Found[]> {
  const { needles } = filter.search
  if (needles.length === 0) return []
  const latest = await readUnindexed(db, filter, { after: last, max: latestMax })
  const numbers = latest
    .filter((payment) => {
      const text = textOf(payment)
      return needles.some((needle) => isIn(text, needle))
    })
    .map(({ number }) => number)
  return thoseThatFit(db, filter, numbers)
}

/** Each a look into one index. */
async function findExactly(db: Queryable, filter: SearchFilter): Promise<Found[]> {
  const { search } = filter
  const looks = [
    ...(search.number ? [byNumber(filter, search.number)] : []),
    ...(search.txRefs.length > 0 ? [byTxRef(filter, search.txRefs)] : []),
    ...(search.last4 === undefined ? [] : [byLast4(filter, search.last4)]),
    ...(search.email === undefined ? [] : [byEmail(filter, search.email)]),
  ]
  if (looks.length === 0) return []
  const union = join(
    looks.map((look) => sql`(${look})`),
    ' union ',
  )
  const found = await db.query<Found>(planEachTime(union))
  const numbers = found.map(({ number }) => number)
  return thoseThatFit(db, filter, numbers)
}

/** Newest first, at most `limit`. */
async function thoseThatFit(db: Queryable, filter: ListFilter, numbers: readonly string[]): Promise<Found[]> {
  if (numbers.length === 0) return []
  return db.query<Found>(
    planEachTime(sql`
      select payments.number, payments.created_at from payments
      where payments.merchant_id = ${filter.merchantId} and payments.mode = ${filter.mode}
        and payments.number = any(${numbers}::text[]) ${furtherRules(filter)}
      order by payments.created_at desc, payments.number desc limit ${filter.limit}`),
  )
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

/** Those that were paid last. */
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
