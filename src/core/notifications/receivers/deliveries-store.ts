import type { Database } from '../../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import type { DeliveryState } from '../bulk/delivery-filter.ts'
import type { MeantReceivers } from '../receiver-of.ts'
import type { Scope } from './receivers-store.ts'

// Notifications of one merchant, page by page. A page reads an index from where the previous one ended, with a limit of
// rows: matches may be rare, and the user can continue the search.

export type ListedDelivery = {
  readonly id: string
  readonly event: string
  readonly target: string
  readonly state: DeliveryState
  readonly number: string | null
  readonly created_at: string
  readonly next_try_at: string | null
  /** The last attempt's answer, or why there was none. */
  readonly status: number | null
  readonly error: string | null
}

export type DeliveryPosition = { readonly at: string; readonly id: string }

export type ListFilter = Scope & {
  readonly state?: DeliveryState | undefined
  readonly event?: string | undefined
  readonly receiver?: MeantReceivers | undefined
  readonly createdFrom?: string | undefined
  readonly createdTo?: string | undefined
  readonly after?: DeliveryPosition | undefined
}

/** Newest first. `looked`: how many rows are read for it, unless an index holds exactly what is asked for. */
export async function listDeliveries(
  db: Database,
  filter: ListFilter,
  looked: number,
  limit: number,
): Promise<ListedDelivery[]> {
  const { merchantId, state, event, receiver } = filter
  const wanted: Sql[] = [sql`true`]
  if (state !== undefined) wanted.push(sql`state = ${state}`)
  if (event !== undefined) wanted.push(sql`event = ${event}`)
  if (receiver !== undefined) wanted.push(isOf(receiver))
  const statement = sql`
    select found.id, found.event, found.target, found.state, found.number, found.created_at, found.next_try_at,
           last.status, last.error
    from (
      select * from (
        select id, event, target, origin, state, number, created_at, next_try_at from deliveries
        where merchant_id = ${merchantId} and ${rangeOf(filter)}
        order by created_at desc, id desc limit ${looked}
      ) as newest
      where ${join(wanted, ' and ')}
      order by created_at desc, id desc limit ${limit}
    ) as found
    left join lateral (
      select status, error from delivery_attempts
      where merchant_id = ${merchantId} and delivery_id = found.id
      order by attempt desc limit 1
    ) as last on true
    order by found.created_at desc, found.id desc`
  return db.query<ListedDelivery>(planEachTime(statement))
}

/** The last row that listDeliveries read with this limit; undefined when it came to the end. */
export async function findLastLooked(
  db: Database,
  filter: ListFilter,
  looked: number,
): Promise<DeliveryPosition | undefined> {
  const statement = sql`
    select created_at as at, id from deliveries
    where merchant_id = ${filter.merchantId} and ${rangeOf(filter)}
    order by created_at desc, id desc offset ${looked - 1} limit 1`
  const rows = await db.query<DeliveryPosition>(planEachTime(statement))
  return rows[0]
}

/** deliveries_failed and deliveries_paused hold what is asked for at one receiver; all else is read from deliveries_newest. */
/** One alone is found through an index. */
function isOf({ names, below }: MeantReceivers): Sql {
  if (names.length === 1 && below === null) return sql`origin = ${names[0] ?? ''}`
  return sql`(origin = any(${names}::text[]) or starts_with(origin, ${below}))`
}

function rangeOf({ mode, state, receiver, createdFrom, createdTo, after }: ListFilter): Sql {
  const rules: Sql[] = [sql`mode = ${mode} and kind = 'ipn'`]
  if (receiver !== undefined && state === 'failed') rules.push(sql`${isOf(receiver)} and state = 'failed'`)
  if (receiver !== undefined && state === 'paused') rules.push(sql`${isOf(receiver)} and state = 'paused'`)
  if (createdFrom !== undefined) rules.push(sql`created_at >= ${createdFrom}`)
  if (createdTo !== undefined) rules.push(sql`created_at < ${createdTo}`)
  if (after !== undefined) rules.push(sql`(created_at, id) < (${after.at}, ${after.id})`)
  return join(rules, ' and ')
}

export type WholeDelivery = Omit<ListedDelivery, 'status' | 'error'> & {
  readonly origin: string
  readonly body: string
  readonly finished_at: string | null
}

export async function findWhole(
  db: Database,
  of: Scope & { id: string },
): Promise<WholeDelivery | undefined> {
  const rows = await db.query<WholeDelivery>(sql`
    select id, event, target, origin, state, number, body, created_at, finished_at, next_try_at from deliveries
    where merchant_id = ${of.merchantId} and id = ${of.id} and mode = ${of.mode} and kind = 'ipn'`)
  return rows[0]
}
