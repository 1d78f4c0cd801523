import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { DisputeState } from '../../core/payments/disputed/dispute-view.ts'
import { isToCheck } from './due-look-store.ts'

// The table disputes.

export type DisputeKey = { readonly merchantId: number; readonly id: string }

export type DisputeRow = {
  readonly merchant_id: number
  readonly id: string
  readonly mode: Mode
  readonly number: string
  readonly tx_ref: string
  readonly connector: string
  readonly account_id: string
  readonly reference: string
  readonly state: DisputeState
  readonly reason: string
  readonly amount_minor: bigint
  readonly currency: string
  readonly evidence_due_at: string | null
  readonly money_taken: boolean
  readonly answered: number
  readonly checks: number
  readonly opened_at: string
  readonly updated_at: string
}

const columns: Sql = sql`
  disputes.merchant_id, disputes.id, disputes.mode, disputes.number, disputes.tx_ref, disputes.connector,
  disputes.account_id, disputes.reference, disputes.state, disputes.reason, disputes.amount_minor, disputes.currency,
  disputes.evidence_due_at, disputes.money_taken, disputes.answered, disputes.checks, disputes.opened_at,
  disputes.updated_at`

/** A dispute's state, as the network reports it. */
export type DisputeSnapshot = Pick<
  DisputeRow,
  'state' | 'reason' | 'amount_minor' | 'currency' | 'money_taken'
> & {
  readonly evidence_due_at: Date | null
}

export type NewDispute = Pick<
  DisputeRow,
  'id' | 'mode' | 'number' | 'tx_ref' | 'connector' | 'account_id' | 'reference'
> &
  DisputeSnapshot

/** Undefined if it is already known. The answer that reports it counts as the answer to the first request. */
export async function insertDispute(
  tx: Transaction,
  merchantId: number,
  dispute: NewDispute,
  at: { readonly now: Date; readonly nextCheckAt: Date | null },
): Promise<DisputeRow | undefined> {
  const rows = await tx.query<DisputeRow>(sql`
    insert into disputes (merchant_id, id, mode, number, tx_ref, connector, account_id, reference, state, reason,
      amount_minor, currency, evidence_due_at, money_taken, asks, answered, next_check_at, opened_at, updated_at)
    values (${merchantId}, ${dispute.id}, ${dispute.mode}, ${dispute.number}, ${dispute.tx_ref}, ${dispute.connector},
      ${dispute.account_id}, ${dispute.reference}, ${dispute.state}, ${dispute.reason}, ${dispute.amount_minor},
      ${dispute.currency}, ${dispute.evidence_due_at}, ${dispute.money_taken}, 1, 1, ${at.nextCheckAt}, ${at.now},
      ${at.now})
    on conflict (merchant_id, connector, reference) do nothing
    returning ${columns}`)
  return rows[0]
}

export async function findByReference(
  db: Queryable,
  merchantId: number,
  named: { connector: string; reference: string },
): Promise<DisputeRow | undefined> {
  const rows = await db.query<DisputeRow>(sql`
    select ${columns} from disputes
    where merchant_id = ${merchantId} and connector = ${named.connector} and reference = ${named.reference}`)
  return rows[0]
}

export async function findById(db: Queryable, key: DisputeKey): Promise<DisputeRow | undefined> {
  const rows = await db.query<DisputeRow>(sql`
    select ${columns} from disputes where merchant_id = ${key.merchantId} and id = ${key.id}`)
  return rows[0]
}

/** The number of the question that is asked next. */
export async function drawAsk(db: Database, key: DisputeKey): Promise<number> {
  const rows = await db.query<{ asks: number }>(sql`
    update disputes set asks = asks + 1 where merchant_id = ${key.merchantId} and id = ${key.id} returning asks`)
  const [row] = rows
  if (!row) throw new Error('A dispute is gone')
  return row.asks
}

export async function lockDispute(tx: Transaction, key: DisputeKey): Promise<DisputeRow | undefined> {
  const rows = await tx.query<DisputeRow>(sql`
    select ${columns} from disputes where merchant_id = ${key.merchantId} and id = ${key.id} for update`)
  return rows[0]
}

export async function updateDispute(
  tx: Transaction,
  key: DisputeKey,
  standing: DisputeSnapshot,
  at: { now: Date; ask: number; checks: number; nextCheckAt: Date | null; isNews: boolean },
): Promise<DisputeRow> {
  const rows = await tx.query<DisputeRow>(sql`
    update disputes
    set state = ${standing.state}, reason = ${standing.reason}, amount_minor = ${standing.amount_minor},
        currency = ${standing.currency}, evidence_due_at = ${standing.evidence_due_at},
        money_taken = ${standing.money_taken}, answered = ${at.ask}, checks = ${at.checks},
        next_check_at = ${at.nextCheckAt},
        updated_at = case when ${at.isNews}::boolean then ${at.now}::timestamptz else updated_at end
    where merchant_id = ${key.merchantId} and id = ${key.id}
    returning ${columns}`)
  const [row] = rows
  if (!row) throw new Error('A locked dispute is gone')
  return row
}

/** Brings the next check forward, never back. */
export async function checkSoon(db: Queryable, key: DisputeKey, at: Date): Promise<void> {
  await db.query(sql`
    update disputes set next_check_at = least(next_check_at, ${at}::timestamptz)
    where merchant_id = ${key.merchantId} and id = ${key.id}`)
}

/** Newest first. */
export async function listOfPayment(
  db: Queryable,
  key: { merchantId: number; number: string },
): Promise<DisputeRow[]> {
  return db.query<DisputeRow>(sql`
    select ${columns} from disputes where merchant_id = ${key.merchantId} and number = ${key.number}
    order by opened_at desc, id desc`)
}

/** Newest first. */
export async function listOfPayments(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<DisputeRow[]> {
  return db.query<DisputeRow>(sql`
    select ${columns} from disputes where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by opened_at desc, id desc`)
}

/** The next check is put off for `leaseMs`; then another worker may take it. */
export async function claimToCheck(
  db: Database,
  merchantId: number,
  claim: { now: Date; leaseMs: number; max: number },
): Promise<DisputeRow[]> {
  const statement = sql`
    with due as materialized (
      select id from disputes where disputes.merchant_id = ${merchantId} and ${isToCheck(claim.now)}
      order by next_check_at limit ${claim.max}
      for update skip locked
    )
    update disputes set next_check_at = ${new Date(claim.now.getTime() + claim.leaseMs)}
    from due
    where disputes.merchant_id = ${merchantId} and disputes.id = due.id
    returning ${columns}`
  return db.query<DisputeRow>(planEachTime(statement))
}

/** The current state, as the next line of its history. The caller has locked the dispute. */
export async function insertHistory(tx: Transaction, dispute: DisputeRow, now: Date): Promise<void> {
  await tx.query(sql`
    insert into dispute_history (merchant_id, dispute_id, place, at, state, reason, evidence_due_at, money_taken)
    select disputes.merchant_id, disputes.id, coalesce(last.place, 0) + 1, ${now}::timestamptz, ${dispute.state}::text,
      ${dispute.reason}::text, ${dispute.evidence_due_at}::timestamptz, ${dispute.money_taken}::boolean
    from disputes cross join lateral (
      select max(dispute_history.place) as place from dispute_history
      where dispute_history.merchant_id = ${dispute.merchant_id} and dispute_history.dispute_id = ${dispute.id}
    ) as last
    where disputes.merchant_id = ${dispute.merchant_id} and disputes.id = ${dispute.id}`)
}

export type DisputeHistoryRow = Pick<DisputeRow, 'state' | 'reason' | 'evidence_due_at' | 'money_taken'> & {
  readonly at: string
}

export async function listHistory(db: Queryable, key: DisputeKey): Promise<DisputeHistoryRow[]> {
  return db.query<DisputeHistoryRow>(sql`
    select at, state, reason, evidence_due_at, money_taken from dispute_history
    where merchant_id = ${key.merchantId} and dispute_id = ${key.id} order by place`)
}

/**
 * Uses the index disputes_to_answer: disputes waiting for the merchant, most urgent first; those without a date last.
 */
export async function listToAnswer(
  db: Database,
  of: { merchantId: number; mode: Mode },
  limit: number,
): Promise<DisputeRow[]> {
  return db.query<DisputeRow>(sql`
    select ${columns} from disputes
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and state = 'evidence_due'
    order by evidence_due_at, id limit ${limit}`)
}

export type ListFilter = {
  readonly merchantId: number
  readonly mode: Mode
  readonly state?: DisputeState | undefined
  readonly txRef?: string | undefined
  /** The last row of the page before. */
  readonly after?: { readonly openedAt: string; readonly id: string } | undefined
  readonly limit: number
}

/** Newest first. */
export async function listDisputes(db: Database, filter: ListFilter): Promise<DisputeRow[]> {
  const { state, txRef, after } = filter
  const rules: Sql[] = [sql`merchant_id = ${filter.merchantId} and mode = ${filter.mode}`]
  if (state !== undefined) rules.push(sql`state = ${state}`)
  if (txRef !== undefined) rules.push(sql`tx_ref = ${txRef}`)
  if (after !== undefined) rules.push(sql`(opened_at, id) < (${after.openedAt}, ${after.id})`)
  const statement = sql`
    select ${columns} from disputes where ${join(rules, ' and ')}
    order by opened_at desc, id desc limit ${filter.limit}`
  return db.query<DisputeRow>(planEachTime(statement))
}
