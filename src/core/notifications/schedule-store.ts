import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Queue } from './queues.ts'
import type { Mode } from '../merchants/mode.ts'

// Deliveries whose schedule is changed from outside: by a person, by a pause, or by a clock that was wrong.

/** Puts a delivery back at the start of its schedule, due now. A try that is under way has no say any more. */
export async function restart(
  db: Queryable,
  of: { merchantId: number; mode: Mode; id: string },
  now: Date,
): Promise<Queue | undefined> {
  const rows = await db.query<Queue>(sql`
    update deliveries
    set state = 'waiting', step = 0, tries = tries + 1, finished_at = null, next_try_at = ${now.toISOString()}
    where merchant_id = ${of.merchantId} and id = ${of.id} and mode = ${of.mode} and target <> ''
      and body <> ''
    returning merchant_id as "merchantId", mode, origin`)
  return rows[0]
}

/** For pausing and resuming a receiver: everything that waits for it. */
export async function pauseDeliveries(tx: Transaction, queue: Queue): Promise<void> {
  await tx.query(sql`
    update deliveries set state = 'paused', next_try_at = null
    where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin} and state = 'waiting'`)
}

export async function resumeDeliveries(tx: Transaction, queue: Queue, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update deliveries set state = 'waiting', step = 0, next_try_at = ${now.toISOString()}
    where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin} and state = 'paused'
    returning id`)
  return rows.length
}

/**
 * A delivery written while a server's clock was ahead would wait that long. No pause between attempts is as long,
 * judged by the database's clock: another server's may be behind. Returns how many were reset.
 */
export async function resetFarFuture(db: Database, merchantId: number): Promise<number> {
  // No test of "state = 'waiting'": for the index only: a constraint says the same
  // No test of ">": no test can hit that microsecond
  const rows = await db.query(sql`
    update deliveries set next_try_at = now()
    where merchant_id = ${merchantId} and state = 'waiting' and next_try_at > now() + interval '48 hours'
    returning id`)
  return rows.length
}
