import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Queue } from '../queues.ts'
import type { Mode } from '../../merchants/mode.ts'

export type PausedReceiver = Queue & {
  /** Null: a person paused it while it answered. */
  readonly failingSince: string | null
  readonly pausedAt: string
}

export type HopelessReceiver = PausedReceiver & { readonly failingSince: string }

/** Pauses those of a merchant's receivers that have only failed since before `since`; returns the ones it paused. */
export async function pauseReceivers(
  tx: Transaction,
  merchantId: number,
  queues: readonly Queue[],
  since: Date,
  now: Date,
): Promise<HopelessReceiver[]> {
  return tx.query<HopelessReceiver>(sql`
    update receivers set paused_at = ${now.toISOString()}
    from unnest(${queues.map((queue) => queue.mode)}::text[], ${queues.map((queue) => queue.origin)}::text[])
      as failed (mode, origin)
    where receivers.merchant_id = ${merchantId} and receivers.mode = failed.mode
      and receivers.origin = failed.origin and paused_at is null
      and failing_since <= ${since.toISOString()}::timestamptz
    returning receivers.merchant_id as "merchantId", receivers.mode, receivers.origin,
              failing_since as "failingSince", paused_at as "pausedAt"`)
}

/** Whether any of these may have to be paused: checked after each failure, outside a transaction. */
export async function anyFailingSince(
  db: Database,
  merchantId: number,
  queues: readonly Queue[],
  since: Date,
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from receivers
    join unnest(${queues.map((queue) => queue.mode)}::text[], ${queues.map((queue) => queue.origin)}::text[])
      as failed (mode, origin) using (mode, origin)
    where merchant_id = ${merchantId} and paused_at is null and failing_since <= ${since.toISOString()}::timestamptz
    limit 1`)
  return rows.length > 0
}

/** Whatever it answers; false when it was paused before. */
export async function pauseOne(tx: Transaction, queue: Queue, now: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into receivers (merchant_id, mode, origin, paused_at)
    values (${queue.merchantId}, ${queue.mode}, ${queue.origin}, ${now.toISOString()})
    on conflict (merchant_id, mode, origin) do update set paused_at = excluded.paused_at
    where receivers.paused_at is null
    returning origin`)
  return rows.length === 1
}

/** False when it was not paused. */
export async function unpauseReceiver(tx: Transaction, queue: Queue): Promise<boolean> {
  const rows = await tx.query(sql`
    update receivers set paused_at = null, failing_since = null, last_failed_at = null
    where merchant_id = ${queue.merchantId} and mode = ${queue.mode} and origin = ${queue.origin}
      and paused_at is not null
    returning origin`)
  return rows.length === 1
}

export async function listPaused(
  db: Queryable,
  of: { merchantId: number; mode: Mode },
): Promise<PausedReceiver[]> {
  return db.query<PausedReceiver>(sql`
    select merchant_id as "merchantId", mode, origin, failing_since as "failingSince", paused_at as "pausedAt"
    from receivers
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and paused_at is not null
    order by origin`)
}

export type FailingReceiver = {
  readonly origin: string
  readonly failingSince: string | null
  readonly pausedAt: string | null
}

/** Paused receivers, and those failing since before `since`. Longest in trouble first. */
export async function listFailing(
  db: Database,
  of: { merchantId: number; mode: Mode; since: Date; limit: number },
): Promise<FailingReceiver[]> {
  return db.query<FailingReceiver>(sql`
    select origin, failing_since as "failingSince", paused_at as "pausedAt" from receivers
    where merchant_id = ${of.merchantId} and mode = ${of.mode}
      and (paused_at is not null or failing_since <= ${of.since})
    order by paused_at, failing_since, origin limit ${of.limit}`)
}
