import { randomUUID } from 'node:crypto'
import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'
import type { Mode } from '../../merchants/mode.ts'
import { ownRow } from '../../merchants/own-row.ts'
import { takenMinor } from '../disputed/taken-store.ts'
import type { Tally, Untally } from './tally.ts'

// The tables daily_totals and daily_total_changes: by day of UTC, and by the quarter of an hour in it.

/** The minutes of a moment's day in UTC, rounded down to a quarter of an hour. */
const minuteOf = (moment: Sql): Sql =>
  sql`(extract(epoch from (${moment} at time zone 'UTC')::time)::integer / 900 * 15)::smallint`

export type TotalRow = {
  readonly mode: Mode
  readonly currency: string
  readonly day: string
  readonly minute: number
  readonly paid: bigint
  readonly paid_minor: bigint
  readonly fee_minor: bigint
  readonly unpaid: bigint
  readonly refunds: bigint
  readonly refunded_minor: bigint
  readonly reversed: bigint
  readonly reversed_minor: bigint
}

/**
 * Written in the commit of what is counted, one row each: mostly there is one, and a row of values goes straight to its
 * node of a cluster. `at`: when it happened, if not now. Now is the start of the transaction, as in `paid_at`.
 */
export function insertTally(merchantId: number, tally: Tally, at?: string): Sql {
  const given = at ?? null
  return sql`
    insert into daily_total_changes (merchant_id, id, mode, currency, day, minute, paid, paid_minor, fee_minor, unpaid,
      refunds, refunded_minor, reversed, reversed_minor)
    values (${merchantId}, ${randomUUID()}, ${tally.mode}, ${tally.currency},
      (coalesce(${given}::timestamptz, now()) at time zone 'UTC')::date,
      (extract(epoch from (coalesce(${given}::timestamptz, now()) at time zone 'UTC')::time)::integer / 900 * 15)::smallint, ${tally.paid}, ${tally.paidMinor}, ${tally.feeMinor}, ${tally.unpaid}, ${tally.refunds},
      ${tally.refundedMinor}, ${tally.reversed}, ${tally.reversedMinor})`
}

/**
 * Takes figures away from the day on which the payment had come into its state, as its history says. The merchant's number
 * is that of the history and the id comes along, which keeps the insert on one node.
 */
export function insertUntally(merchantId: number, untally: Untally): Sql {
  return sql`
    insert into daily_total_changes (merchant_id, id, mode, currency, day, minute, paid, paid_minor, fee_minor, unpaid,
      refunds, refunded_minor, reversed, reversed_minor)
    select payment_history.merchant_id, ${randomUUID()}::uuid, ${untally.mode}::text, ${untally.currency}::text,
      (max(at) at time zone 'UTC')::date, ${minuteOf(sql`max(at)`)}, ${untally.paid}::bigint,
      ${untally.paidMinor}::bigint, ${untally.feeMinor}::bigint, ${untally.unpaid}::bigint,
      ${untally.refunds}::bigint, ${untally.refundedMinor}::bigint, ${untally.reversed}::bigint,
      ${untally.reversedMinor}::bigint
    from payment_history
    where payment_history.merchant_id = ${merchantId} and payment_history.number = ${untally.number}
      and payment_history.to_state = ${untally.sinceState} and payment_history.attempt is null
    group by payment_history.merchant_id`
}

/** The totals between two moments, which are the starts of days in a time zone. */
const quarterMs = 15 * 60_000
const firstQuarterMs = Date.UTC(2000, 0, 1)

export type SpanRow = Omit<TotalRow, 'mode' | 'day' | 'minute'> & {
  /** Which of the spans, from 1. */
  readonly span: number
}

const figures = sql`paid, paid_minor, fee_minor, unpaid, refunds, refunded_minor, reversed, reversed_minor`

/**
 * Totals between consecutive moments, and changes not yet folded into them, in one snapshot: a change being folded is
 * in exactly one of the two. The moments are in order, on quarters of an hour.
 */
export async function readTotals(
  db: Database,
  of: { merchantId: number; mode: Mode; moments: readonly Date[] },
): Promise<SpanRow[]> {
  const moments = of.moments.map((moment) => moment.toISOString())
  // Numbers, because PostgreSQL would convert a time to UTC for every row. Clocks of long ago weren't on quarters.
  const quarters = of.moments.map((moment) => Math.ceil((moment.getTime() - firstQuarterMs) / quarterMs))
  const [from = '', to = ''] = [moments[0], moments.at(-1)]
  const isWithin = sql`mode = ${of.mode} and day >= (${from}::timestamptz at time zone 'UTC')::date
        and day <= (${to}::timestamptz at time zone 'UTC')::date`
  return db.query<SpanRow>(sql`
    select currency, span, sum(paid)::bigint as paid, sum(paid_minor)::bigint as paid_minor,
      sum(fee_minor)::bigint as fee_minor, sum(unpaid)::bigint as unpaid, sum(refunds)::bigint as refunds,
      sum(refunded_minor)::bigint as refunded_minor, sum(reversed)::bigint as reversed,
      sum(reversed_minor)::bigint as reversed_minor
    from (
      select currency, ${figures},
        width_bucket((day - date '2000-01-01') * 96 + minute / 15, ${quarters}::integer[]) as span
      from (
        select currency, day, minute, ${figures} from daily_totals
        where daily_totals.merchant_id = ${of.merchantId} and ${isWithin}
        union all
        select currency, day, minute, ${figures} from daily_total_changes
        where daily_total_changes.merchant_id = ${of.merchantId} and ${isWithin}
      ) as counted
    ) as placed
    where span between 1 and ${moments.length - 1}
    group by currency, span order by currency, span`)
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
    returning mode, currency, day, minute, ${figures}`)
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
    insert into daily_totals as total (merchant_id, mode, currency, day, minute, ${figures})
    select merchant.merchant_id, mode, currency, day, minute, sum(paid), sum(paid_minor), sum(fee_minor), sum(unpaid),
      sum(refunds), sum(refunded_minor), sum(reversed), sum(reversed_minor)
    from ${ownRow(merchantId)}, json_to_recordset(${json}) as change (mode text, currency text, day date,
      minute smallint, paid bigint, paid_minor bigint, fee_minor bigint, unpaid bigint, refunds bigint,
      refunded_minor bigint, reversed bigint, reversed_minor bigint)
    group by merchant.merchant_id, mode, currency, day, minute order by mode, currency, day, minute
    on conflict (merchant_id, mode, currency, day, minute) do update
    set paid = total.paid + excluded.paid, paid_minor = total.paid_minor + excluded.paid_minor,
        fee_minor = total.fee_minor + excluded.fee_minor, unpaid = total.unpaid + excluded.unpaid,
        refunds = total.refunds + excluded.refunds,
        refunded_minor = total.refunded_minor + excluded.refunded_minor,
        reversed = total.reversed + excluded.reversed, reversed_minor = total.reversed_minor + excluded.reversed_minor`)
}

// Our advisory locks; the merchant's number is the other half of the key.
const lockName = 1_907 // No test: any number will do as the name of a lock

/** Until this transaction ends no worker folds this merchant's changes. */
export async function keepFromFolding(tx: Transaction, merchantId: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${lockName}::integer, ${merchantId}::integer)`)
}

/** False while totals are rebuilt: then changes wait. */
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

/** Computed from the payments and their history, without refunds. Reads all payments of the merchant. */
export async function sumPayments(db: Queryable, merchantId: number): Promise<TotalRow[]> {
  return db.query<TotalRow>(sql`
    select mode, currency, (at at time zone 'UTC')::date::text as day, ${minuteOf(sql`at`)} as minute,
      count(*) filter (where kind = 'paid') as paid,
      coalesce(sum(amount_minor) filter (where kind = 'paid'), 0)::bigint as paid_minor,
      coalesce(sum(charge_minor) filter (where kind = 'paid'), 0)::bigint as fee_minor,
      count(*) filter (where kind = 'unpaid') as unpaid, 0::bigint as refunds, 0::bigint as refunded_minor,
      count(*) filter (where kind = 'reversed') as reversed,
      coalesce(sum(taken_minor) filter (where kind = 'reversed'), 0)::bigint as reversed_minor
    from (
      select mode, currency, amount_minor, charge_minor, 0 as taken_minor, 'paid' as kind, max(at) as at
      from payments join payment_history
        on payment_history.merchant_id = ${merchantId} and payment_history.number = payments.number
      where payments.merchant_id = ${merchantId} and attempt is null and event = 'paid'
      group by payments.merchant_id, payments.number
      union all
      select mode, currency, amount_minor, charge_minor, ${takenMinor} as taken_minor, case state when 'reversed' then 'reversed' else 'unpaid' end, max(at)
      from payments join payment_history
        on payment_history.merchant_id = ${merchantId} and payment_history.number = payments.number
      where payments.merchant_id = ${merchantId} and attempt is null and to_state = state
        and state in ('failed', 'cancelled', 'expired', 'reversed')
      group by payments.merchant_id, payments.number
    ) as happened
    group by mode, currency, (at at time zone 'UTC')::date, minute`)
}
