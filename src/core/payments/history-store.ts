import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { ownRow } from '../merchants/own-row.ts'

// The table payment_history: what happened to a payment and its attempts, in order.

export type HistoryChange = {
  readonly merchant_id: number
  readonly number: string
  readonly event: string
  readonly from_state: string
  readonly to_state: string
  /** For this attempt; without it, for the payment itself. */
  readonly attempt?: number
}

/**
 * Each payment at most once, and locked by the caller. A payment's rows are numbered from 1: as no one else writes to
 * its history now, the next number is free. A sequence wouldn't do, as a cluster's nodes draw from separate ranges.
 */
export function insertHistory(merchantId: number, changes: readonly HistoryChange[]): Sql {
  // Only what is written: the rest of a change is several times as much for PostgreSQL to read.
  const rows = changes.map(({ merchant_id, number, event, from_state, to_state, attempt }) => ({
    merchant_id,
    number,
    event,
    from_state,
    to_state,
    attempt,
  }))
  return sql`
    insert into payment_history (merchant_id, number, id, at, event, from_state, to_state, attempt)
    select merchant.merchant_id, change.number, coalesce(last.id, 0) + 1, statement_timestamp(), event, from_state, to_state, attempt
    from ${ownRow(merchantId)}, json_to_recordset(${JSON.stringify(rows)}) as change (
      merchant_id integer, number text, event text, from_state text, to_state text, attempt integer)
    cross join lateral (
      select max(id) as id from payment_history
      where payment_history.merchant_id = ${merchantId} and payment_history.number = change.number
    ) as last
    where change.merchant_id = ${merchantId}`
}

/** For the commit of the latest change, under the lock of its payment. */
export async function nameActor(
  tx: Transaction,
  key: { readonly merchantId: number; readonly number: string },
  of: { readonly event: string; readonly actor: string },
): Promise<void> {
  await tx.query(sql`
    update payment_history set actor = ${of.actor}
    where merchant_id = ${key.merchantId} and number = ${key.number} and event = ${of.event}
      and id = (
        select max(id) from payment_history
        where merchant_id = ${key.merchantId} and number = ${key.number} and event = ${of.event})`)
}

export type HistoryRow = {
  at: string
  event: string
  from_state: string
  to_state: string
  attempt: number | null
  /** Who decided it; null: Florin, the network or the customer. */
  actor: string | null
}

export async function listHistory(
  db: Queryable,
  key: { merchantId: number; number: string },
): Promise<HistoryRow[]> {
  return db.query<HistoryRow>(sql`
    select at, event, from_state, to_state, attempt, actor from payment_history
    where merchant_id = ${key.merchantId} and number = ${key.number} order by id`)
}
