import type { Database, Queryable, Transaction } from '../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { WentBack } from './fee-returned.ts'
import type { RefundState } from './state-machine.ts'

// The tables refunds, refund_history and refund_totals. What is due: due-store.ts.

export type RefundRow = {
  readonly merchant_id: number
  /** Also the idempotency key that the network gets. */
  readonly id: string
  readonly number: string
  /** Which refund of its payment, from 1. */
  readonly place: number
  readonly mode: Mode
  readonly refund_ref: string
  readonly tx_ref: string
  /** The payment's. */
  readonly reference: string
  readonly currency: string
  readonly state: RefundState
  readonly amount_minor: bigint
  readonly asked_all: boolean
  readonly reason: string | null
  readonly returns_fee: boolean
  readonly fee_returned_minor: bigint
  readonly failure: string | null
  readonly refund_reference: string | null
  readonly refunded_before_minor: bigint | null
  readonly sent_at: string | null
  readonly checks: number
  readonly next_check_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

export type RefundKey = { readonly merchantId: number; readonly id: string }

export const refundColumns = join(
  [
    'merchant_id',
    'id',
    'number',
    'place',
    'mode',
    'refund_ref',
    'tx_ref',
    'reference',
    'currency',
    'state',
    'amount_minor',
    'asked_all',
    'reason',
    'returns_fee',
    'fee_returned_minor',
    'failure',
    'refund_reference',
    'refunded_before_minor',
    'sent_at',
    'checks',
    'next_check_at',
    'created_at',
    'updated_at',
  ].map((column) => ({ text: `refunds.${column}`, values: [], name: undefined })),
  ', ',
)

export type NewRefund = Pick<
  RefundRow,
  | 'merchant_id'
  | 'id'
  | 'number'
  | 'place'
  | 'mode'
  | 'refund_ref'
  | 'tx_ref'
  | 'reference'
  | 'currency'
  | 'amount_minor'
  | 'asked_all'
  | 'reason'
  | 'returns_fee'
> & { readonly next_check_at: Date }

export async function insertRefund(tx: Transaction, refund: NewRefund): Promise<RefundRow> {
  const rows = await tx.query<RefundRow>(sql`
    insert into refunds (merchant_id, id, number, place, mode, refund_ref, tx_ref, reference, currency, amount_minor,
      asked_all, reason, returns_fee, next_check_at)
    values (${refund.merchant_id}, ${refund.id}, ${refund.number}, ${refund.place}, ${refund.mode}, ${refund.refund_ref},
      ${refund.tx_ref}, ${refund.reference}, ${refund.currency}, ${refund.amount_minor}, ${refund.asked_all},
      ${refund.reason}, ${refund.returns_fee}, ${refund.next_check_at})
    returning ${refundColumns}`)
  const [row] = rows
  if (!row) throw new Error('A refund was not inserted')
  return row
}

/** The reserved amount of a payment: requested and not failed. */
export async function findReserved(
  db: Queryable,
  of: { merchantId: number; number: string },
): Promise<bigint> {
  const rows = await db.query<{ reserved_minor: bigint }>(sql`
    select reserved_minor from refund_totals where merchant_id = ${of.merchantId} and number = ${of.number}`)
  return rows[0]?.reserved_minor ?? 0n
}

/** The database refuses more than was paid. Negative: releases what is no longer needed. */
export async function reserve(
  tx: Transaction,
  of: { merchantId: number; number: string; paidMinor: bigint },
  amountMinor: bigint,
): Promise<void> {
  await tx.query(sql`
    insert into refund_totals as total (merchant_id, number, amount_minor, reserved_minor)
    values (${of.merchantId}, ${of.number}, ${of.paidMinor}, greatest(${amountMinor}::bigint, 0))
    on conflict (merchant_id, number) do update set reserved_minor = total.reserved_minor + ${amountMinor}::bigint`)
}

/** The fees returned with refunds. */
export async function sumWithFee(
  tx: Transaction,
  of: { merchantId: number; number: string },
): Promise<WentBack> {
  const rows = await tx.query<WentBack>(sql`
    select coalesce(sum(amount_minor), 0)::bigint as "amountMinor",
      coalesce(sum(fee_returned_minor), 0)::bigint as "feeMinor"
    from refunds
    where merchant_id = ${of.merchantId} and number = ${of.number} and state = 'succeeded' and returns_fee`)
  return rows[0] ?? { amountMinor: 0n, feeMinor: 0n }
}

export async function findByRef(
  db: Queryable,
  of: { merchantId: number; mode: Mode; refundRef: string },
): Promise<RefundRow | undefined> {
  const rows = await db.query<RefundRow>(sql`
    select ${refundColumns} from refunds
    where merchant_id = ${of.merchantId} and mode = ${of.mode} and refund_ref = ${of.refundRef}`)
  return rows[0]
}

export async function findById(db: Queryable, key: RefundKey): Promise<RefundRow | undefined> {
  const rows = await db.query<RefundRow>(sql`
    select ${refundColumns} from refunds where merchant_id = ${key.merchantId} and id = ${key.id}`)
  return rows[0]
}

/** By what the network calls it. */
export async function findByReference(
  db: Queryable,
  merchantId: number,
  reference: string,
): Promise<RefundRow | undefined> {
  const rows = await db.query<RefundRow>(sql`
    select ${refundColumns} from refunds
    where merchant_id = ${merchantId} and refund_reference = ${reference} limit 1`)
  return rows[0]
}

/** After the lock of its payment, by everybody. */
export async function lockRefund(tx: Transaction, key: RefundKey): Promise<RefundRow | undefined> {
  const rows = await tx.query<RefundRow>(sql`
    select ${refundColumns} from refunds where merchant_id = ${key.merchantId} and id = ${key.id} for update`)
  return rows[0]
}

/** For some payments of a merchant, in the order they were requested. */
export async function listOfPayments(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<RefundRow[]> {
  return db.query<RefundRow>(sql`
    select ${refundColumns} from refunds
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) order by number, place`)
}

export type RefundChange = {
  readonly from: RefundState
  readonly to: RefundState
  readonly event: string
  readonly refundReference: string | null
  readonly failure: string | null
  readonly feeReturnedMinor: bigint
  readonly nextCheckAt: Date | null
}

/** Moves a refund that is locked and writes that into its history. */
export async function moveState(tx: Transaction, key: RefundKey, change: RefundChange): Promise<RefundRow> {
  const [rows = []] = await tx.queryAll<RefundRow>([
    sql`
    update refunds
    set state = ${change.to}, refund_reference = coalesce(${change.refundReference}, refund_reference),
        failure = ${change.failure}, fee_returned_minor = ${change.feeReturnedMinor}, checks = 0,
        next_check_at = ${change.nextCheckAt}, updated_at = statement_timestamp()
    where merchant_id = ${key.merchantId} and id = ${key.id} and state = ${change.from}
    returning ${refundColumns}`,
    sql`
    insert into refund_history (merchant_id, refund_id, place, at, event, from_state, to_state)
    select refunds.merchant_id, refunds.id, coalesce(last.place, 0) + 1, statement_timestamp(), ${change.event}::text,
      ${change.from}::text, ${change.to}::text
    from refunds cross join lateral (
      select max(refund_history.place) as place from refund_history
      where refund_history.merchant_id = ${key.merchantId} and refund_history.refund_id = ${key.id}
    ) as last
    where refunds.merchant_id = ${key.merchantId} and refunds.id = ${key.id}`,
  ])
  const [row] = rows
  if (!row) throw new Error('A locked refund changed its state')
  return row
}

/** When the money of a refund that came home had gone back, last. */
export async function findWentBackAt(tx: Transaction, key: RefundKey): Promise<string> {
  const rows = await tx.query<{ at: string | null }>(sql`
    select max(at) as at from refund_history
    where merchant_id = ${key.merchantId} and refund_id = ${key.id} and to_state = 'succeeded'`)
  const at = rows[0]?.at
  if (at === null || at === undefined) throw new Error('A refund bounced that never succeeded')
  return at
}

export type RefundHistoryRow = { at: string; event: string; from_state: string; to_state: RefundState }

export async function listHistory(db: Queryable, key: RefundKey): Promise<RefundHistoryRow[]> {
  return db.query<RefundHistoryRow>(sql`
    select at, event, from_state, to_state from refund_history
    where merchant_id = ${key.merchantId} and refund_id = ${key.id} order by place`)
}

export type RefundFilter = {
  readonly merchantId: number
  readonly mode: Mode
  readonly txRef?: string | undefined
  /** The refund_ref or the tx_ref. */
  readonly named?: string | undefined
  readonly state?: RefundState | undefined
  readonly createdFrom?: string | undefined
  readonly createdTo?: string | undefined
  readonly currency?: string | undefined
  /** When the money went back. */
  readonly wentBackFrom?: string | undefined
  readonly wentBackTo?: string | undefined
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: string; readonly id: string } | undefined
  readonly limit: number
}

/** Newest first. */
export async function listNewest(db: Database, filter: RefundFilter): Promise<RefundRow[]> {
  const { txRef, named, state, createdFrom, createdTo, currency, wentBackFrom, wentBackTo, after } = filter
  const rules: Sql[] = [sql`merchant_id = ${filter.merchantId} and mode = ${filter.mode}`]
  if (txRef !== undefined) rules.push(sql`tx_ref = ${txRef}`)
  if (named !== undefined) rules.push(sql`(refund_ref = ${named} or tx_ref = ${named})`)
  if (state !== undefined) rules.push(sql`state = ${state}`)
  if (createdFrom !== undefined) rules.push(sql`created_at >= ${createdFrom}`)
  if (createdTo !== undefined) rules.push(sql`created_at < ${createdTo}`)
  if (currency !== undefined) rules.push(sql`currency = ${currency}`)
  // Nothing touches a refund after that but its coming home.
  if (wentBackFrom !== undefined) rules.push(sql`state = 'succeeded' and updated_at >= ${wentBackFrom}`)
  if (wentBackTo !== undefined) rules.push(sql`state = 'succeeded' and updated_at < ${wentBackTo}`)
  if (after !== undefined) rules.push(sql`(created_at, id) < (${after.createdAt}, ${after.id})`)
  const statement = sql`
    select ${refundColumns} from refunds where ${join(rules, ' and ')}
    order by created_at desc, id desc limit ${filter.limit}`
  return db.query<RefundRow>(planEachTime(statement))
}
