import { randomUUID } from 'node:crypto'
import type { Database, Queryable, Transaction } from '../../database/database.ts'
import { sql, type Sql } from '../../database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { ownRow } from '../../merchants/own-row.ts'
import type { Tally, Untally } from './tally.ts'

// The tables daily_totals and daily_total_changes. Days are those of UTC.

export type TotalRow = {
  readonly mode: Mode
  readonly currency: string
  readonly day: string
  readonly paid: bigint
  readonly paid_minor: bigint
  readonly unpaid: bigint
  readonly refunds: bigint
  readonly refunded_minor: bigint
  readonly reversed: bigint
  readonly reversed_minor: bigint
}

/**
 * For the commit of what is counted, one row each: mostly there is one, and a row of values goes straight to its node of a
 * cluster. `at`: when it happened, if that was not now.
 */
export function insertTally(merchantId: number, tally: Tally, at?: string): Sql {
  return sql`
    insert into daily_total_changes (merchant_id, id, mode, currency, day, paid, paid_minor, unpaid, refunds,
      refunded_minor, reversed, reversed_minor)
    values (${merchantId}, ${randomUUID()}, ${tally.mode}, ${tally.currency},
      (coalesce(${at ?? null}::timestamptz, clock_timestamp()) at time zone 'UTC')::date, ${tally.paid},
      ${tally.paidMinor}, ${tally.unpaid}, ${tally.refunds}, ${tally.refundedMinor}, ${tally.reversed},
      ${tally.reversedMinor})`
}

/**
 * Takes figures away from the day on which the payment had come into its state, as its history says. The merchant's number
 * is that of the history and the id comes along, which keeps the insert on one node.
 */
export function insertUntally(merchantId: number, untally: Untally): Sql {
  return sql`
    insert into daily_total_changes (merchant_id, id, mode, currency, day, paid, paid_minor, unpaid, refunds,
      refunded_minor, reversed, reversed_minor)
    select payment_history.merchant_id, ${randomUUID()}::uuid, ${untally.mode}::text, ${untally.currency}::text,
      (max(at) at time zone 'UTC')::date, ${untally.paid}::bigint, ${untally.paidMinor}::bigint,
      ${untally.unpaid}::bigint, ${untally.refunds}::bigint, ${untally.refundedMinor}::bigint,
      ${untally.reversed}::bigint, ${untally.reversedMinor}::bigint
    from payment_history
    where payment_history.merchant_id = ${merchantId} and payment_history.number = ${untally.number}
      and payment_history.to_state = ${untally.sinceState} and payment_history.attempt is null
    group by payment_history.merchant_id`
}

/** Totals and what is not folded into them yet, in one snapshot: what is being folded is in exactly one of the two. */
export async function readTotals(
  db: Database,
  of: { merchantId: number; mode: Mode; from: string },
): Promise<TotalRow[]> {
  return db.query<TotalRow>(sql`
    select ${of.mode}::text as mode, currency, day::text as day, sum(paid)::bigint as paid,
      sum(paid_minor)::bigint as paid_minor, sum(unpaid)::bigint as unpaid, sum(refunds)::bigint as refunds,
      sum(refunded_minor)::bigint as refunded_minor, sum(reversed)::bigint as reversed,
      sum(reversed_minor)::bigint as reversed_minor
    from (
      select currency, day, paid, paid_minor, unpaid, refunds, refunded_minor, reversed, reversed_minor
      from daily_totals
      where daily_totals.merchant_id = ${of.merchantId} and mode = ${of.mode} and day >= ${of.from}::date
      union all
      select currency, day, paid, paid_minor, unpaid, refunds, refunded_minor, reversed, reversed_minor
      from daily_total_changes
      where daily_total_changes.merchant_id = ${of.merchantId} and mode = ${of.mode} and day >= ${of.from}::date
    ) as figures
    group by currency, day order by currency, day`)
}

/** Takes changes that no other worker has; returns them, each as it was written. */
export async function takeChanges(tx: Transaction, merchantId: number, max: number): Promise<TotalRow[]> {
  return tx.query<TotalRow>(sql`
    with taken as materialized (
      select id from daily_total_changes where daily_total_changes.merchant_id = ${merchantId}
      limit ${max} for update skip locked
    )
    delete from daily_total_changes using taken
    where daily_total_changes.merchant_id = ${merchantId} and daily_total_changes.id = taken.id
    returning mode, currency, day, paid, paid_minor, unpaid, refunds, refunded_minor, reversed,
      reversed_minor`)
}

/** In one order, so that two workers with days in common wait for each other and never both. */
export async function addToTotals(
  tx: Transaction,
  merchantId: number,
  rows: readonly TotalRow[],
): Promise<void> {
  const json = JSON.stringify(rows, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  await tx.query(sql`
    insert into daily_totals as total (merchant_id, mode, currency, day, paid, paid_minor, unpaid, refunds,
      refunded_minor, reversed, reversed_minor)
    select merchant.merchant_id, mode, currency, day, sum(paid), sum(paid_minor), sum(unpaid), sum(refunds),
      sum(refunded_minor), sum(reversed), sum(reversed_minor)
    from ${ownRow(merchantId)}, json_to_recordset(${json}) as change (mode text, currency text, day date, paid bigint, paid_minor bigint,
      unpaid bigint, refunds bigint, refunded_minor bigint, reversed bigint, reversed_minor bigint)
    group by merchant.merchant_id, mode, currency, day order by mode, currency, day
    on conflict (merchant_id, mode, currency, day) do update
    set paid = total.paid + excluded.paid, paid_minor = total.paid_minor + excluded.paid_minor,
        unpaid = total.unpaid + excluded.unpaid, refunds = total.refunds + excluded.refunds,
        refunded_minor = total.refunded_minor + excluded.refunded_minor,
        reversed = total.reversed + excluded.reversed, reversed_minor = total.reversed_minor + excluded.reversed_minor`)
}

// Of advisory locks of ours; the merchant's number is the other half of the name.
const lockName = 1_907 // No test: any number will do as the name of a lock

/** Until this transaction ends nobody folds the changes of this merchant. */
export async function keepFromFolding(tx: Transaction, merchantId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${lockName}::integer, ${merchantId}::integer)`)
}

/** False while totals are made anew: then changes wait. */
export async function mayFold(tx: Transaction, merchantId: number): Promise<boolean> {
  const rows = await tx.query<{ may: boolean }>(sql`
    select pg_try_advisory_xact_lock_shared(${lockName}::integer, ${merchantId}::integer) as may`)
  return rows[0]?.may ?? false
}

/** Except days of test mode up to one. */
export async function dropTotals(tx: Transaction, merchantId: number, keptTestDay: string): Promise<void> {
  await tx.queryAll([
    sql`
      delete from daily_total_changes
      where merchant_id = ${merchantId} and (mode = 'live' or day > ${keptTestDay}::date)`,
    sql`
      delete from daily_totals
      where merchant_id = ${merchantId} and (mode = 'live' or day > ${keptTestDay}::date)`,
  ])
}

/** What the payments themselves and their history say, refunds apart. Reads all payments of the merchant. */
export async function sumPayments(db: Queryable, merchantId: number): Promise<TotalRow[]> {
  return db.query<TotalRow>(sql`
    select mode, currency, (at at time zone 'UTC')::date::text as day,
      count(*) filter (where kind = 'paid') as paid,
      coalesce(sum(amount_minor) filter (where kind = 'paid'), 0)::bigint as paid_minor,
      count(*) filter (where kind = 'unpaid') as unpaid, 0::bigint as refunds, 0::bigint as refunded_minor,
      count(*) filter (where kind = 'reversed') as reversed,
      coalesce(sum(amount_minor) filter (where kind = 'reversed'), 0)::bigint as reversed_minor
    from (
      select mode, currency, amount_minor, 'paid' as kind, max(at) as at
      from payments join payment_history
        on payment_history.merchant_id = ${merchantId} and payment_history.number = payments.number
      where payments.merchant_id = ${merchantId} and attempt is null and event = 'paid'
      group by payments.merchant_id, payments.number
      union all
      select mode, currency, amount_minor, case state when 'reversed' then 'reversed' else 'unpaid' end, max(at)
      from payments join payment_history
        on payment_history.merchant_id = ${merchantId} and payment_history.number = payments.number
      where payments.merchant_id = ${merchantId} and attempt is null and to_state = state
        and state in ('failed', 'cancelled', 'expired', 'reversed')
      group by payments.merchant_id, payments.number
    ) as happened
    group by mode, currency, (at at time zone 'UTC')::date`)
}
