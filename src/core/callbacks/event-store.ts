import type { Database, Queryable } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { ownRow } from '../merchants/own-row.ts'
import { isDue, type About } from './due-look-store.ts'

// The table callback_events, one merchant at a time.

/** The owner of events that don't name a merchant. */
export const nobody = 0

export type NewEvent = {
  readonly event_id: string
  readonly about: About
  readonly number: string | null
  readonly idempotency_key: string | null
  readonly reference: string | null
}

export type EventRow = NewEvent & {
  readonly merchant_id: number
  readonly account_id: string
  readonly connector: string
  readonly tries: number
  readonly received_at: string
}

export type EventKey = Pick<EventRow, 'merchant_id' | 'account_id' | 'event_id'>

/** As it came, and from whose account. */
export type ReceivedEvent = NewEvent &
  Pick<EventRow, 'account_id' | 'connector'> & { readonly received_at: Date }

/** The new events: a repeated one is stored once. */
export async function insertEvents(
  db: Queryable,
  merchantId: number,
  events: readonly ReceivedEvent[],
): Promise<Pick<EventRow, 'account_id' | 'event_id'>[]> {
  // Two that hold the same events in another order would wait for each other.
  const ordered = events.toSorted((one, other) => compare(nameOf(one), nameOf(other)))
  return db.query<Pick<EventRow, 'account_id' | 'event_id'>>(sql`
    insert into callback_events (merchant_id, account_id, event_id, connector, about, number, idempotency_key, reference,
                                 next_try_at, received_at)
    select merchant.merchant_id, account_id, event_id, connector, about, number, idempotency_key, reference, received_at,
           received_at
    from ${ownRow(merchantId)}, json_to_recordset(${JSON.stringify(ordered)}) as new (
      account_id text, event_id text, connector text, about text, number text, idempotency_key text, reference text,
      received_at timestamptz)
    on conflict (merchant_id, account_id, event_id) do nothing
    returning account_id, event_id`)
}

/** Names an event among those of its merchant. */
export function nameOf({ account_id, event_id }: Pick<EventRow, 'account_id' | 'event_id'>): string {
  return `${account_id} ${event_id}`
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other) // No test: equal names may stand in either order
}

/** The next try is put off for `leaseMs`; then another worker may take it. Oldest first. */
export async function claimEvents(
  db: Database,
  merchantId: number,
  claim: { abouts: readonly About[]; now: Date; leaseMs: number; max: number },
): Promise<EventRow[]> {
  const statement = sql`
    -- Materialized, as a plan may run a subquery again for each row, and each time it would lock as many more.
    with due as materialized (
      select account_id, event_id from callback_events
      where callback_events.merchant_id = ${merchantId} and ${isDue(claim.abouts, claim.now)}
      order by next_try_at limit ${claim.max}
      for update skip locked
    )
    update callback_events
    set next_try_at = ${new Date(claim.now.getTime() + claim.leaseMs)}, tries = tries + 1
    from due
    where callback_events.merchant_id = ${merchantId} and callback_events.account_id = due.account_id
      and callback_events.event_id = due.event_id
    returning callback_events.merchant_id, callback_events.account_id, callback_events.event_id, connector, about, number,
      idempotency_key, reference, tries, received_at`
  return db.query<EventRow>(planEachTime(statement))
}

export type Finished = EventKey & {
  readonly state: 'done' | 'unknown' | 'given_up'
  readonly finished_at: Date
}

export async function finishEvents(
  db: Queryable,
  merchantId: number,
  finished: readonly Finished[],
): Promise<void> {
  await db.query(sql`
    update callback_events set state = ended.state, next_try_at = null, finished_at = ended.finished_at
    from (
      select * from unnest(${finished.map((one) => one.account_id)}::text[], ${finished.map((one) => one.event_id)}::text[],
                           ${finished.map((one) => one.state)}::text[],
                           ${finished.map((one) => one.finished_at)}::timestamptz[])
        as ended (account_id, event_id, state, finished_at)
      limit (select ${finished.length}::integer)
    ) as ended
    where callback_events.merchant_id = ${merchantId} and callback_events.account_id = ended.account_id
      and callback_events.event_id = ended.event_id and callback_events.state = 'waiting'`)
}

export async function putOffEvent(db: Database, key: EventKey, at: Date): Promise<void> {
  await db.query(sql`
    update callback_events set next_try_at = ${at}
    where merchant_id = ${key.merchant_id} and account_id = ${key.account_id} and event_id = ${key.event_id}
      and state = 'waiting'`)
}

/** Deletes what ended before `before`, at most `max` rows; returns how many. */
export async function deleteEnded(
  db: Database,
  merchantId: number,
  before: Date,
  max: number,
): Promise<number> {
  const rows = await db.query(
    // No test of "state <> 'waiting'": what waits has no finished_at; it is for the index
    planEachTime(sql`
      with ended as materialized (
        select account_id, event_id from callback_events
        where merchant_id = ${merchantId} and state <> 'waiting' and finished_at < ${before}
        order by finished_at limit ${max}
      )
      delete from callback_events using ended
      where callback_events.merchant_id = ${merchantId} and callback_events.account_id = ended.account_id
        and callback_events.event_id = ended.event_id
      returning callback_events.event_id`),
  )
  return rows.length
}

/** Wakes the workers of every process. */
export async function notifyWorkers(db: Database): Promise<void> {
  await db.query(sql`select pg_notify('florin_callbacks', '')`)
}

/** When the last event of an account came; undefined when none did within the days that they are kept. */
export async function findLastReceived(
  db: Database,
  merchantId: number,
  accountId: string,
): Promise<string | undefined> {
  const rows = await db.query<{ received_at: string }>(sql`
    select received_at from callback_events
    where merchant_id = ${merchantId} and account_id = ${accountId} order by received_at desc limit 1`)
  return rows[0]?.received_at
}
