import type { Database } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'

// The looks for work, across merchants. They find merchants to visit and nothing else: what is done for a merchant is
// done by statements that name it. In order of the merchants' numbers, after the given one, at most `limit`.

/** Merchants with something due now. */
export async function findMerchantsWithDueDeliveries(
  db: Database,
  after: number,
  now: Date,
  limit: number,
): Promise<number[]> {
  return findMerchantsWithQueues(db, sql`next_try_at <= ${now.toISOString()}::timestamptz`, after, limit)
}

/** Merchants with something that is to be tried later than any pause between tries could put it. */
export async function findMerchantsWithFarFuture(
  db: Database,
  after: number,
  limit: number,
): Promise<number[]> {
  return findMerchantsWithQueues(db, sql`next_try_at > now() + interval '48 hours'`, after, limit)
}

/**
 * It steps from queue to queue through the index, so 10,000 deliveries that wait for one dead receiver cost as much as
 * one, and from a queue that is asked for to the next merchant, whose mode can't be behind '~'.
 */
async function findMerchantsWithQueues(
  db: Database,
  isAskedFor: Sql,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ merchant_id: number }>(sql`
    with recursive queues as (
      select * from (
        select merchant_id, mode, origin from deliveries
        where state = 'waiting' and merchant_id > ${after}
        order by merchant_id, mode, origin limit 1
      ) as first cross join lateral (${hasAny(sql`first`, isAskedFor)}) as answer
      union all
      select next.merchant_id, next.mode, next.origin, answer.is_asked_for
      from queues cross join lateral (
        select merchant_id, mode, origin from deliveries
        where state = 'waiting' and (merchant_id, mode, origin) >
          (queues.merchant_id, case when queues.is_asked_for then '~' else queues.mode end, queues.origin)
        order by merchant_id, mode, origin limit 1
      ) as next cross join lateral (${hasAny(sql`next`, isAskedFor)}) as answer
    )
    select merchant_id from queues where is_asked_for limit ${limit}`)
  return rows.map((row) => row.merchant_id)
}

function hasAny(queue: Sql, isAskedFor: Sql): Sql {
  return sql`
    select exists (
      select from deliveries
      where deliveries.merchant_id = ${queue}.merchant_id and deliveries.mode = ${queue}.mode
        and deliveries.origin = ${queue}.origin and state = 'waiting' and ${isAskedFor}
    ) as is_asked_for`
}

/** Merchants with anything that waits or is paused. */
export async function findMerchantsWithBacklog(
  db: Database,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ merchant_id: number }>(sql`
    with recursive found as (
      select ${after}::integer as merchant_id
      union all
      select least(
        (select min(merchant_id) from deliveries where state = 'waiting' and merchant_id > found.merchant_id),
        (select min(merchant_id) from deliveries where state = 'paused' and merchant_id > found.merchant_id))
      from found where merchant_id is not null
    )
    select merchant_id from found where merchant_id > ${after} limit ${limit}`)
  return rows.map((row) => row.merchant_id)
}
