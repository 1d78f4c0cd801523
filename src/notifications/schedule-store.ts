import type { Database, Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Lane } from './queues.ts'
import type { Mode } from '../merchants/mode.ts'

// Deliveries whose schedule is changed from outside: by a person, by a pause, or by a clock that was wrong.

/** Puts a delivery back at the start of its schedule, due now. A try that is under way has no say any more. */
export async function restart(
  db: Database,
  of: { merchantId: number; mode: Mode; id: string },
  now: Date,
): Promise<Lane | undefined> {
  const rows = await db.query<Lane>(sql`
    update deliveries
    set state = 'waiting', step = 0, tries = tries + 1, finished_at = null, next_try_at = ${now.toISOString()}
    where merchant_id = ${of.merchantId} and id = ${of.id} and mode = ${of.mode} and target <> ''
    returning merchant_id as "merchantId", mode, origin`)
  return rows[0]
}

/** For pausing and resuming a receiver: everything that waits for it. */
export async function pauseDeliveries(tx: Transaction, lane: Lane): Promise<void> {
  await tx.query(sql`
    update deliveries set state = 'paused', next_try_at = null
    where merchant_id = ${lane.merchantId} and mode = ${lane.mode} and origin = ${lane.origin} and state = 'waiting'`)
}

export async function resumeDeliveries(tx: Transaction, lane: Lane, now: Date): Promise<number> {
  const rows = await tx.query(sql`
    update deliveries set state = 'waiting', step = 0, next_try_at = ${now.toISOString()}
    where merchant_id = ${lane.merchantId} and mode = ${lane.mode} and origin = ${lane.origin} and state = 'paused'
    returning id`)
  return rows.length
}

/**
 * What a server wrote while its clock ran ahead would wait for as long as that. No pause between tries is so long, and
 * it is the database's clock that says so: another server's may be behind. Returns how many were brought back.
 */
export async function bringBack(db: Database): Promise<number> {
  const rows = await db.query(sql`
    update deliveries set next_try_at = now() where state = 'waiting' and next_try_at > now() + interval '48 hours'
    returning id`)
  return rows.length
}
