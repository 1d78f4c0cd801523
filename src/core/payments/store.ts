import type { DeclineReason } from '../networks/connector.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import type { Queryable, Transaction } from '../../platform/database/database.ts'
import { insertHistory } from './history-store.ts'
import { endedRules, type EndedFilter } from './list-totals/ended-store.ts'
import type { PaymentState } from './state-machine.ts'
import type { Mode } from '../merchants/mode.ts'
import type { PaymentMethod } from '../../platform/money/payment-methods.ts'

// The table payments.

export type PaymentKey = { readonly merchantId: number; readonly number: string }

/** The payment method, as merchants see it. */
export type ShownMethod = {
  readonly kind: PaymentMethod
  /** The connector's name. */
  readonly network: string
  /** Null if the network says nothing about the card. */
  readonly brand: string | null
  readonly last4: string | null
}

export type PaymentRow = {
  readonly merchant_id: number
  readonly number: string
  readonly mode: Mode
  readonly tx_ref: string
  readonly reference: string
  readonly type: 'API' | 'Form' | 'Link'
  readonly state: PaymentState
  readonly late: boolean
  readonly currency: string
  readonly amount_minor: bigint
  readonly charge_minor: bigint
  readonly refunded_minor: bigint
  /** How many refunds were asked for, those that failed too. */
  readonly refunds: number
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly callback_url: string | null
  readonly return_url: string | null
  readonly title: string | null
  readonly description: string | null
  readonly logo: string | null
  /** JSON text, exactly as it will be sent back. */
  readonly meta: string | null
  readonly project_id: string | null
  /** JSON text; read by items.ts. */
  readonly items: string | null
  readonly invoice_number: string | null
  /** The language of the checkout page; null before it was opened. */
  readonly language: string | null
  /** JSON text of the dispute shown; null: there was none. */
  readonly dispute: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly expires_at: string
  /** Null: not paid yet, or paid before this was kept. */
  readonly paid_at: string | null
  /** JSON text of the payment method. */
  readonly paid_with: string | null
  /** Why the last attempt of a failed payment was declined. */
  readonly failure_reason: DeclineReason | null
  /** JSON text of a payment that saves its method or charges a saved one; read by saving/saving.ts. Null for all others. */
  readonly saving: string | null
  /** Of the key it was created with; null for Florin's own. */
  readonly dialect: 'family' | null
}

export const paymentColumns = sqlText(`
  payments.merchant_id, payments.number, payments.mode, payments.tx_ref, payments.reference, payments.type, payments.state,
  payments.late, payments.currency, payments.amount_minor, payments.charge_minor, payments.refunded_minor, payments.refunds, payments.email,
  payments.first_name, payments.last_name, payments.callback_url, payments.return_url, payments.title,
  payments.description, payments.logo, payments.meta::text as meta, payments.project_id, payments.items::text as items,
  payments.invoice_number, payments.language, payments.dispute::text as dispute, payments.created_at,
  payments.updated_at, payments.expires_at, payments.paid_at, payments.paid_with::text as paid_with,
  payments.failure_reason, payments.saving::text as saving, payments.dialect`)

export type TxRefKey = { readonly mode: Mode; readonly txRef: string }

/**
 * Looks many up at once; the answers in the order of the questions. The array is a query's, as PostgreSQL would plan again
 * at each call for one whose length it sees.
 */
export async function findByTxRef(
  db: Queryable,
  merchantId: number,
  keys: readonly TxRefKey[],
): Promise<(PaymentRow | undefined)[]> {
  const [only] = keys
  if (only && keys.length === 1) return [await findOneByTxRef(db, merchantId, only)]
  const found = new Map<string, PaymentRow>()
  for (const [mode, ofMode] of Map.groupBy(keys, (key) => key.mode)) {
    const rows = await db.query<PaymentRow>(sql`
      select ${paymentColumns} from payments
      where merchant_id = ${merchantId} and mode = ${mode}
        and tx_ref = any((select ${ofMode.map(({ txRef }) => txRef)}::text[])::text[])`)
    for (const row of rows) found.set(`${mode} ${row.tx_ref}`, row)
  }
  return keys.map(({ mode, txRef }) => found.get(`${mode} ${txRef}`))
}

/** Most look-ups are alone. Without the array PostgreSQL spends 23 µs on one instead of 29 (shortest, side by side). */
async function findOneByTxRef(
  db: Queryable,
  merchantId: number,
  { mode, txRef }: TxRefKey,
): Promise<PaymentRow | undefined> {
  const rows = await db.query<PaymentRow>(sql`
    select ${paymentColumns} from payments
    where merchant_id = ${merchantId} and mode = ${mode} and tx_ref = ${txRef}`)
  return rows[0]
}

export async function findByNumber(
  db: Queryable,
  { merchantId, number }: PaymentKey,
  mode: Mode,
): Promise<PaymentRow | undefined> {
  const rows = await db.query<PaymentRow>(sql`
    select ${paymentColumns} from payments
    where merchant_id = ${merchantId} and number = ${number} and mode = ${mode}`)
  return rows[0]
}

export async function listByNumbers(
  db: Queryable,
  merchantId: number,
  mode: Mode,
  numbers: readonly string[],
): Promise<PaymentRow[]> {
  return db.query<PaymentRow>(sql`
    select ${paymentColumns} from payments
    where merchant_id = ${merchantId} and mode = ${mode} and number = any(${numbers}::text[])`)
}

/** The rows of an answer, each at the place of its question. */
export function inOrderOf<R extends { at: number }>(
  questions: readonly unknown[],
  rows: readonly R[],
): (R | undefined)[] {
  const found: (R | undefined)[] = questions.map(() => undefined)
  for (const row of rows) found[row.at - 1] = row
  return found
}

declare const locked: unique symbol
/** A payment that no one else changes until this transaction ends. Only locking creates one. */
export type LockedPayment = PaymentRow & { readonly [locked]: true }

export async function lockPayment(tx: Transaction, key: PaymentKey): Promise<LockedPayment | undefined> {
  const rows = await tx.query<LockedPayment>(sql`
    select ${paymentColumns} from payments where merchant_id = ${key.merchantId} and number = ${key.number}
    for update`)
  return rows[0]
}

/** Of a payment whose held charge was accepted; its items would not add up. */
export async function replaceAmount(tx: Transaction, key: PaymentKey, amountMinor: bigint): Promise<void> {
  await tx.query(sql`
    update payments set amount_minor = ${amountMinor}, items = null
    where merchant_id = ${key.merchantId} and number = ${key.number}`)
}

/** By number. Locks in one order, so that two callers with payments in common wait for each other and never both. */
export async function lockPayments(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<Map<string, LockedPayment>> {
  const rows = await tx.query<LockedPayment>(sql`
    select ${paymentColumns} from payments
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])
    order by number
    for update`)
  return new Map(rows.map((row) => [row.number, row]))
}

export type StateChange = {
  readonly merchant_id: number
  readonly number: string
  readonly from_state: PaymentState
  readonly to_state: PaymentState
  readonly event: string
  readonly late: boolean
  readonly paid_with: ShownMethod | null
  readonly failure_reason: DeclineReason | null
}

/** What a move changes in a payment's row. */
export type MovedState = Pick<
  PaymentRow,
  'state' | 'late' | 'refunded_minor' | 'updated_at' | 'paid_at' | 'paid_with' | 'failure_reason'
>

/**
 * Moves payments that are in their `from_state` and writes that into their history; `also` goes with it in one write. What
 * it changed, by number. A cluster takes no now() in a CASE.
 */
export async function moveStates(
  tx: Transaction,
  merchantId: number,
  changes: readonly StateChange[],
  also: readonly Sql[] = [],
): Promise<Map<string, MovedState>> {
  const [rows = []] = await tx.queryAll<MovedState & { number: string }>([
    sql`
    update payments
    set state = change.to_state, late = payments.late or change.late, updated_at = now(),
        refunded_minor = case when change.to_state = 'refunded' then amount_minor else refunded_minor end,
        paid_at = coalesce(change.paid_at, payments.paid_at),
        paid_with = coalesce(change.paid_with, payments.paid_with),
        failure_reason = coalesce(change.failure_reason, payments.failure_reason)
    from json_to_recordset(${JSON.stringify(changes.map(withPaidAt))}) as change (
      merchant_id integer, number text, from_state text, to_state text, paid_at timestamptz, late boolean, paid_with json,
      failure_reason text)
    where payments.merchant_id = ${merchantId} and change.merchant_id = ${merchantId}
      and payments.number = change.number and payments.state = change.from_state
    returning payments.number, payments.state, payments.late, refunded_minor, updated_at, payments.paid_at,
      payments.paid_with::text as paid_with, payments.failure_reason`,
    insertHistory(merchantId, changes),
    ...also,
  ])
  if (rows.length !== changes.length) throw new Error('A locked payment changed its state')
  return new Map(rows.map((row) => [row.number, row]))
}

/** `now` is PostgreSQL's own word for the time of the transaction. */
function withPaidAt(change: StateChange): object {
  return { ...change, paid_at: change.event === 'paid' ? 'now' : null }
}

export type ListFilter = EndedFilter & {
  readonly merchantId: number
  readonly mode: Mode
  readonly txRef?: string | undefined
  readonly state?: PaymentState | undefined
  readonly currency?: string | undefined
  readonly email?: string | undefined
  readonly createdFrom?: string | undefined
  readonly createdTo?: string | undefined
  readonly projectId?: string | undefined
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: string; readonly number: string } | undefined
  readonly limit: number
}

/** Newest first. */
export async function listPayments(db: Queryable, filter: ListFilter): Promise<PaymentRow[]> {
  const statement = sql`
    select ${paymentColumns} from payments
    where merchant_id = ${filter.merchantId} and mode = ${filter.mode} ${furtherRules(filter)}
    order by created_at desc, number desc limit ${filter.limit}`
  return db.query<PaymentRow>(planEachTime(statement))
}

/** Besides the merchant and the mode, each with its `and`. */
export function furtherRules(filter: Omit<ListFilter, 'limit'>): Sql {
  const { txRef, state, currency, email, createdFrom, createdTo, projectId, after } = filter
  const rules: Sql[] = [sql``]
  if (txRef !== undefined) rules.push(sql`payments.tx_ref = ${txRef}`)
  if (state !== undefined) rules.push(sql`payments.state = ${state}`)
  if (currency !== undefined) rules.push(sql`payments.currency = ${currency}`)
  if (email !== undefined) rules.push(sql`lower(payments.email) = lower(${email})`)
  if (createdFrom !== undefined) rules.push(sql`payments.created_at >= ${createdFrom}`)
  if (createdTo !== undefined) rules.push(sql`payments.created_at < ${createdTo}`)
  if (projectId !== undefined) rules.push(sql`payments.project_id = ${projectId}`)
  rules.push(...endedRules(filter.merchantId, filter))
  if (after !== undefined)
    rules.push(sql`(payments.created_at, payments.number) < (${after.createdAt}, ${after.number})`)
  return join(rules, ' and ')
}

function sqlText(text: string): Sql {
  return join([{ text, values: [], name: undefined }], '')
}
