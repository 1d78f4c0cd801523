import { merchantsInOrder } from '../../platform/database/spread/merchants-in-order.ts'
import type { Database } from '../../platform/database/database.ts'
import { planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import { mailOrigin } from './queues.ts'

// Searches for work across merchants. They only find merchants to visit: the work itself is done by statements that
// name one merchant. Ordered by merchant number, after the given one.

/** `nextCursor`: there may be more merchants, behind this one. */
export type Look = { readonly merchants: readonly number[]; readonly nextCursor: number | undefined }

const rowsAtOnce = 1_000

/** Merchants with something due now. */
export async function findMerchantsWithDueDeliveries(
  db: Database,
  after: number,
  now: Date,
  rowsMax = rowsAtOnce,
): Promise<Look> {
  // No test of "state = 'waiting'": for the index only: a constraint says the same
  const due = sql`
    select merchant_id from deliveries
    where state = 'waiting' and merchant_id > ${after} and next_try_at <= ${now.toISOString()}::timestamptz`
  return look(db, due, rowsMax)
}

/** Merchants with something that is to be tried later than any pause between tries could put it. */
export async function findMerchantsWithFarFuture(
  db: Database,
  after: number,
  rowsMax = rowsAtOnce,
): Promise<Look> {
  // No test of "state = 'waiting'": for the index only: a constraint says the same
  // No test of ">": no test can hit that microsecond
  const far = sql`
    select merchant_id from deliveries
    where state = 'waiting' and merchant_id > ${after} and next_try_at > now() + interval '48 hours'`
  return look(db, far, rowsMax)
}

/** Merchants with mail that waits for a mail server. */
export async function findMerchantsWithWaitingMail(
  db: Database,
  after: number,
  rowsMax = rowsAtOnce,
): Promise<Look> {
  const waiting = sql`
    select merchant_id from deliveries
    where state = 'paused' and origin = ${mailOrigin} and merchant_id > ${after}`
  return look(db, waiting, rowsMax)
}

/** Merchants with anything that waits or is paused. Each index is read no further than needed. */
export async function findMerchantsWithBacklog(
  db: Database,
  after: number,
  rowsMax = rowsAtOnce,
): Promise<Look> {
  const backlog = sql`
    select merchant_id from (
      (select merchant_id from deliveries where state = 'waiting' and merchant_id > ${after}
       order by merchant_id limit ${rowsMax})
      union all
      (select merchant_id from deliveries where state = 'paused' and merchant_id > ${after}
       order by merchant_id limit ${rowsMax})
    ) as backlog`
  return look(db, backlog, rowsMax)
}

/**
 * Reads a thousand rows in index order, and continues after their last merchant: a dead receiver's backlog of any size
 * costs one such step. A recursion from queue to queue would read less, but a cluster allows none across merchants.
 */
async function look(db: Database, due: Sql, rowsMax: number): Promise<Look> {
  const statement = sql`${due} order by merchant_id limit ${rowsMax}`
  const rows = await db.look<{ merchant_id: number }>(planEachTime(statement))
  const found = merchantsInOrder(rows, rowsMax)
  const merchants = [...new Set(found)]
  return { merchants, nextCursor: found.length === rowsMax ? merchants.at(-1) : undefined }
}
