import type { Database, Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { inOrderOf, type PaymentKey, type PaymentRow } from './store.ts'
import type { Mode } from '../merchants/mode.ts'
import { ownRow } from '../merchants/own-row.ts'

// New payments, and their conflicts: one tx_ref and one Idempotency-Key make one payment.

type GivenLater =
  | 'state'
  | 'late'
  | 'refunded_minor'
  | 'refunds'
  | 'language'
  | 'dispute'
  | 'created_at'
  | 'updated_at'
  | 'expires_at'
  | 'paid_at'
  | 'paid_with'
  | 'failure_reason'

export type NewPayment = Omit<PaymentRow, GivenLater> & {
  readonly idempotency_key: string | null
  readonly body_hash: string | null
  /** How long it can be paid, by the clock of the database. */
  readonly pay_within_seconds: number
}

/** Inserts all rows without a conflict and returns their numbers. One write, one commit. */
export async function insertPayments(
  db: Queryable,
  merchantId: number,
  payments: readonly NewPayment[],
): Promise<Set<string>> {
  const [first] = payments
  const keys = namesOfKeys(payments)
  const insert =
    first && payments.length === 1 ? insertOne(merchantId, first) : insertMany(merchantId, payments)
  const rows =
    payments.length > 1 && keys.length > 0 // No test: a single payment needs no lock order
      ? (await db.queryAll([holdKeys(keys), insert]))[1]
      : await db.query(insert)
  return new Set((rows as { number: string }[]).map(({ number }) => number))
}

/** Alone it needs no order. */
function insertOne(merchantId: number, payment: NewPayment): Sql {
  return sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor, email,
      first_name, last_name, callback_url, return_url, title, description, logo, meta, project_id, items, invoice_number, saving,
      dialect, idempotency_key, body_hash, expires_at)
    values (${merchantId}, ${payment.number}, ${payment.mode}, ${payment.tx_ref}, ${payment.reference}, ${payment.type},
      ${payment.currency}, ${payment.amount_minor}, ${payment.charge_minor}, ${payment.email}, ${payment.first_name},
      ${payment.last_name}, ${payment.callback_url}, ${payment.return_url}, ${payment.title}, ${payment.description},
      ${payment.logo}, ${payment.meta}, ${payment.project_id}, ${payment.items}, ${payment.invoice_number},
      ${payment.saving}, ${payment.dialect}, ${payment.idempotency_key},
      ${payment.body_hash === null ? null : Buffer.from(payment.body_hash, 'hex')},
      now() + ${payment.pay_within_seconds}::integer * interval '1 second')
    on conflict do nothing
    returning number`
}

/**
 * Rows come in the order of their tx_refs, so two batches with the same ones don't wait for each other. Two that have the same
 * Idempotency-Keys in another order would, so these are held from the beginning, in one order.
 */
function holdKeys(names: readonly string[]): Sql {
  return sql`
    select count(pg_advisory_xact_lock(key))
    from (select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) as name order by key) as keys`
}

function insertMany(merchantId: number, payments: readonly NewPayment[]): Sql {
  return sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor, email,
      first_name, last_name, callback_url, return_url, title, description, logo, meta, project_id, items, invoice_number, saving,
      dialect, idempotency_key, body_hash, expires_at)
    select merchant.merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor, email,
      first_name, last_name, callback_url, return_url, title, description, logo, meta::json, project_id, items::json,
      invoice_number, saving::json, dialect, idempotency_key, decode(body_hash, 'hex'), now() + pay_within_seconds * interval '1 second'
    from ${ownRow(merchantId)}, json_to_recordset(${JSON.stringify(payments.map(withTextAmounts))}) as new (
      number text, mode text, tx_ref text, reference text, type text, currency text,
      amount_minor bigint, charge_minor bigint, email text, first_name text, last_name text, callback_url text,
      return_url text, title text, description text, logo text, meta text, project_id text, items text,
      invoice_number text, saving text, dialect text, idempotency_key text, body_hash text, pay_within_seconds integer)
    on conflict do nothing
    returning number`
}

function namesOfKeys(payments: readonly NewPayment[]): string[] {
  return payments.flatMap(({ merchant_id: merchantId, mode, idempotency_key: key }) =>
    key === null ? [] : [`${merchantId} ${mode} ${key}`],
  )
}

function withTextAmounts(payment: NewPayment): object {
  return {
    ...payment,
    amount_minor: String(payment.amount_minor),
    charge_minor: String(payment.charge_minor),
  }
}

export type IdempotentRow = { number: string; same_body: boolean; is_old: boolean }

export type IdempotencyKey = {
  readonly mode: Mode
  readonly key: string
  readonly bodyHash: string
}

/** Looks many up at once; the answers in the order of the questions. */
export async function findByIdempotencyKey(
  db: Queryable,
  merchantId: number,
  keys: readonly IdempotencyKey[],
): Promise<(IdempotentRow | undefined)[]> {
  // No test of "<": no test can hit that microsecond
  const rows = await db.query<IdempotentRow & { at: number }>(sql`
    select asked.at::integer as at, number, payments.body_hash = decode(asked.body_hash, 'hex') as same_body,
      created_at < now() - interval '24 hours' as is_old
    from (
      select * from unnest(${keys.map((key) => key.mode)}::text[], ${keys.map((key) => key.key)}::text[],
                           ${keys.map((key) => key.bodyHash)}::text[])
        with ordinality as asked (mode, idempotency_key, body_hash, at)
      limit (select ${keys.length}::integer)
    ) as asked
    join payments on payments.merchant_id = ${merchantId} and payments.mode = asked.mode
      and payments.idempotency_key = asked.idempotency_key`)
  return inOrderOf(keys, rows)
}

export async function forgetIdempotencyKey(db: Database, key: PaymentKey): Promise<void> {
  // No test of "<": no test can hit that microsecond
  await db.query(sql`
    update payments set idempotency_key = null, body_hash = null
    where merchant_id = ${key.merchantId} and number = ${key.number}
      and created_at < now() - interval '24 hours'`)
}
