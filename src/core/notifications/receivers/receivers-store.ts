import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import type { Queue } from '../queues.ts'

// The receivers of one merchant as people look at them. Everything is counted up to a limit: what costs nothing on a quiet
// day must not cost a second in the middle of an outage.

export type Scope = { readonly merchantId: number; readonly mode: Mode }

export type ReceiverRow = {
  readonly origin: string
  readonly failing_since: string | null
  readonly last_failed_at: string | null
  readonly paused_at: string | null
}

/** Troubled receivers, through the primary key. */
export async function listTroubled(db: Database, of: Scope, limit: number): Promise<ReceiverRow[]> {
  return db.query<ReceiverRow>(sql`
    select origin, failing_since, last_failed_at, paused_at from receivers
    where merchant_id = ${of.merchantId} and mode = ${of.mode}
      and (paused_at is not null or failing_since is not null)
    order by paused_at is null, origin limit ${limit}`)
}

export async function findReceiver(db: Database, queue: Queue): Promise<ReceiverRow | undefined> {
  const rows = await db.query<ReceiverRow>(sql`
    select origin, failing_since, last_failed_at, paused_at from receivers
    where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}`)
  return rows[0]
}

/** Receivers of the newest notifications, through deliveries_newest; latest first. */
export async function listLately(
  db: Database,
  of: Scope,
  looked: number,
): Promise<{ origin: string; last_at: string }[]> {
  return db.query(sql`
    select origin, max(created_at) as last_at from (
      select origin, created_at from deliveries
      where merchant_id = ${of.merchantId} and mode = ${of.mode} and kind = 'ipn'
      order by created_at desc, id desc limit ${looked}
    ) as newest
    where origin <> '' group by origin order by max(created_at) desc, origin`)
}

export type Counts = {
  readonly waiting: number
  /** When the oldest waiting one was written. */
  readonly oldest_at: string | null
  readonly paused: number
  readonly failed: number
}

/** Each up to `most`, through deliveries_due, deliveries_paused and deliveries_failed. */
export async function countOfReceiver(db: Database, queue: Queue, most: number): Promise<Counts> {
  // No test of "desc": only the count is used; the order matches the index
  const rows = await db.query<Counts>(sql`
    select waiting.count as waiting, paused.count as paused, failed.count as failed,
           least(waiting.oldest_at, paused.oldest_at) as oldest_at
    from (
      select count(*)::integer as count, min(created_at) as oldest_at from (
        select created_at from deliveries
        where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}
          and state = 'waiting'
        order by next_try_at limit ${most}) as found
    ) as waiting, (
      select count(*)::integer as count, min(created_at) as oldest_at from (
        select created_at from deliveries
        where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}
          and state = 'paused'
        order by created_at limit ${most}) as found
    ) as paused, (
      select count(*)::integer as count from (
        select created_at from deliveries
        where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}
          and kind = 'ipn' and state = 'failed'
        order by created_at desc limit ${most}) as found
    ) as failed`)
  return rows[0] ?? { waiting: 0, oldest_at: null, paused: 0, failed: 0 }
}

export type FailureReason = {
  readonly status: number | null
  readonly error: string | null
  readonly count: number
  readonly last_at: string
}

/** Why the last try of each was not taken, of the newest `looked` that failed, wait again or are paused. */
export async function groupFailures(db: Database, queue: Queue, looked: number): Promise<FailureReason[]> {
  return db.query<FailureReason>(sql`
    select last.status, last.error, count(*)::integer as count, max(last.at) as last_at
    from (
      (select id from deliveries
       where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}
         and kind = 'ipn' and state = 'failed'
       order by created_at desc, id desc limit ${looked})
      union all
      (select id from deliveries
       where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}
         and state = 'paused'
       order by created_at desc, id desc limit ${looked})
      union all
      (select id from deliveries
       where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}
         and state = 'waiting'
       order by next_try_at limit ${looked})
    ) as troubled
    cross join lateral (
      select status, error, at from delivery_attempts
      where merchant_id = ${queue.merchantId} and delivery_id = troubled.id
      order by attempt desc limit 1
    ) as last
    where last.error is not null or last.status not between 200 and 299
    group by last.status, last.error
    order by count(*) desc, max(last.at) desc limit 20`)
}
