import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { Payout } from './payout.ts'
import type { PayoutState } from './state-machine.ts'

// The tables payouts and payout_history.

const columns: Sql = sql`
  payouts.merchant_id, payouts.id, payouts.mode, payouts.connector, payouts.account_id, payouts.reference, payouts.state,
  payouts.amount_minor, payouts.currency, payouts.arrives_on, payouts.bank_reference, payouts.failure,
  payouts.lines, payouts.line_count, payouts.gross_minor, payouts.fee_minor, payouts.tax_minor, payouts.difference_minor,
  payouts.made_at, payouts.updated_at, payouts.dealt_with_at`

export type NewPayout = Pick<
  Payout,
  'merchant_id' | 'id' | 'mode' | 'connector' | 'account_id' | 'reference' | 'amount_minor' | 'currency'
> &
  Reported & { readonly made_at: Date }

export type Reported = Pick<Payout, 'state' | 'arrives_on' | 'bank_reference' | 'failure'>

export async function insertPayout(tx: Transaction, payout: NewPayout, now: Date): Promise<Payout> {
  const rows = await tx.query<Payout>(sql`
    insert into payouts (merchant_id, id, mode, connector, account_id, reference, state, amount_minor, currency,
      arrives_on, bank_reference, failure, made_at, updated_at)
    values (${payout.merchant_id}, ${payout.id}, ${payout.mode}, ${payout.connector}, ${payout.account_id},
      ${payout.reference}, ${payout.state}, ${payout.amount_minor}, ${payout.currency}, ${payout.arrives_on}::date,
      ${payout.bank_reference}, ${payout.failure}, ${payout.made_at}, ${now})
    returning ${columns}`)
  return only(rows)
}

export async function updatePayout(
  tx: Transaction,
  payout: Payout,
  reported: Reported,
  now: Date,
): Promise<Payout> {
  const rows = await tx.query<Payout>(sql`
    update payouts
    set state = ${reported.state}, arrives_on = ${reported.arrives_on}::date, bank_reference = ${reported.bank_reference},
        failure = ${reported.failure}, updated_at = ${now},
        dealt_with_at = case when state = ${reported.state} then dealt_with_at end
    where merchant_id = ${payout.merchant_id} and id = ${payout.id}
    returning ${columns}`)
  return only(rows)
}

export async function setLines(
  tx: Transaction,
  payout: Payout,
  lines: Pick<
    Payout,
    'lines' | 'line_count' | 'gross_minor' | 'fee_minor' | 'tax_minor' | 'difference_minor'
  >,
  now: Date,
): Promise<Payout> {
  const rows = await tx.query<Payout>(sql`
    update payouts
    set lines = ${lines.lines}, line_count = ${lines.line_count}, gross_minor = ${lines.gross_minor},
        fee_minor = ${lines.fee_minor}, tax_minor = ${lines.tax_minor}, difference_minor = ${lines.difference_minor},
        updated_at = ${now}
    where merchant_id = ${payout.merchant_id} and id = ${payout.id}
    returning ${columns}`)
  return only(rows)
}

function only(rows: readonly Payout[]): Payout {
  const [row] = rows
  if (!row) throw new Error('A payout is gone')
  return row
}

/** Locked until the commit. */
export async function lockByReference(
  tx: Transaction,
  key: { merchantId: number; accountId: string; reference: string },
): Promise<Payout | undefined> {
  const rows = await tx.query<Payout>(sql`
    select ${columns} from payouts
    where merchant_id = ${key.merchantId} and account_id = ${key.accountId} and reference = ${key.reference}
    for update`)
  return rows[0]
}

export async function findById(
  db: Queryable,
  key: { merchantId: number; id: string },
): Promise<Payout | undefined> {
  const rows = await db.query<Payout>(sql`
    select ${columns} from payouts where merchant_id = ${key.merchantId} and id = ${key.id}`)
  return rows[0]
}

export async function listByIds(
  db: Queryable,
  merchantId: number,
  ids: readonly string[],
): Promise<Payout[]> {
  return db.query<Payout>(sql`
    select ${columns} from payouts where merchant_id = ${merchantId} and id = any(${ids}::text[])`)
}

/** Its place in the history of the payout. */
export async function insertHistory(
  tx: Transaction,
  { merchant_id, id, state, failure }: Payout,
  at: Date,
): Promise<number> {
  const last = await tx.query<{ place: number }>(sql`
    select coalesce(max(place), 0)::integer as place from payout_history
    where merchant_id = ${merchant_id} and payout_id = ${id}`)
  const place = (last[0]?.place ?? 0) + 1
  await tx.query(sql`
    insert into payout_history (merchant_id, payout_id, place, at, state, failure)
    values (${merchant_id}, ${id}, ${place}, ${at}, ${state}, ${failure})`)
  return place
}

export type PayoutHistoryRow = Pick<Payout, 'state' | 'failure'> & { readonly at: string }

export async function listHistory(
  db: Queryable,
  key: { merchantId: number; id: string },
): Promise<PayoutHistoryRow[]> {
  return db.query<PayoutHistoryRow>(sql`
    select at, state, failure from payout_history
    where merchant_id = ${key.merchantId} and payout_id = ${key.id} order by place`)
}

export type PayoutFilter = {
  readonly merchantId: number
  readonly mode: Mode
  readonly states?: readonly PayoutState[] | undefined
  /** The last row of the page before. */
  readonly after?: { readonly madeAt: string; readonly id: string } | undefined
  readonly limit: number
}

/** Newest first. */
export async function listPayouts(db: Queryable, filter: PayoutFilter): Promise<Payout[]> {
  const { states, after } = filter
  const rules: Sql[] = [sql`merchant_id = ${filter.merchantId} and mode = ${filter.mode}`]
  if (states !== undefined) rules.push(sql`state = any(${states}::text[])`)
  if (after !== undefined) rules.push(sql`(made_at, id) < (${after.madeAt}, ${after.id})`)
  const statement = sql`
    select ${columns} from payouts where ${join(rules, ' and ')}
    order by made_at desc, id desc limit ${filter.limit}`
  return db.query<Payout>(planEachTime(statement))
}

/**
 * Payouts that the bank refused or sent back, except those that a person has dealt with. A later payout pays one when it is larger than its own
 * bookings by that much, or has no list of bookings and is as large. The newest first.
 */
export async function listRefused(
  db: Queryable,
  { merchantId, mode }: { readonly merchantId: number; readonly mode: Mode },
): Promise<Payout[]> {
  return db.query<Payout>(sql`
    select ${columns} from payouts
    where merchant_id = ${merchantId} and mode = ${mode} and state in ('failed', 'returned') and dealt_with_at is null
      and not exists (
        select from payouts as later
        where later.merchant_id = ${merchantId} and later.account_id = payouts.account_id
          and later.currency = payouts.currency and later.made_at > payouts.made_at
          and later.state not in ('failed', 'returned')
          and case later.lines when 'untold' then later.amount_minor else later.difference_minor end >= payouts.amount_minor)
    order by made_at desc, id desc`)
}

/** False if that was done before. */
export async function setDealtWith(
  tx: Transaction,
  key: { readonly merchantId: number; readonly id: string },
  at: Date,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update payouts set dealt_with_at = ${at}
    where merchant_id = ${key.merchantId} and id = ${key.id} and dealt_with_at is null
      and state in ('failed', 'returned')
    returning id`)
  return rows.length === 1
}

/** Whether the network still has something to report soon. */
export async function hasOpen(
  db: Queryable,
  key: { merchantId: number; accountId: string },
  since: Date,
): Promise<boolean> {
  const rows = await db.query(sql`
    select id from payouts
    where merchant_id = ${key.merchantId} and account_id = ${key.accountId} and made_at >= ${since}
      and (state in ('announced', 'on_its_way') or lines = 'waiting')
    limit 1`)
  return rows.length > 0
}

/** For payouts of test mode that were copied long after they were made: when they arrived is what the network says. */
export async function backdateHistory(
  db: Queryable,
  of: { merchantId: number; before: Date; afterMs: number },
): Promise<void> {
  const seconds = of.afterMs / 1_000
  await db.query(sql`
    update payout_history set at = payouts.made_at + ${seconds} * interval '1 second'
    from payouts
    where payout_history.merchant_id = ${of.merchantId} and payouts.merchant_id = ${of.merchantId}
      and payouts.id = payout_history.payout_id and payouts.mode = 'test' and payouts.made_at < ${of.before}`)
}
