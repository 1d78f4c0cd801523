import type { Database, Queryable } from '../../../../platform/database/database.ts'
import { sql, type Sql } from '../../../../platform/database/sql.ts'
import type { Mode } from '../../../merchants/mode.ts'
import { paymentColumns, type PaymentKey, type PaymentRow } from '../../store.ts'
import { attemptColumns, type AttemptKey, type AttemptRow } from '../attempt-store.ts'

// What attempts on a network's own page need of the tables attempts and payments beyond what all attempts need.

export async function findPaymentRow(db: Database, key: PaymentKey): Promise<PaymentRow | undefined> {
  const rows = await db.query<PaymentRow>(sql`
    select ${paymentColumns} from payments where merchant_id = ${key.merchantId} and number = ${key.number}`)
  return rows[0]
}

/**
 * The attempt of a payment that somebody looks at, if the network may be asked for it now: once in `everyMs`, whoever
 * looks how often at how many servers. A time of asking that is ahead of the clock was written by a wrong one. A page that
 * can't be closed is asked about as long as no other attempt was started.
 */
export async function claimLook(
  db: Database,
  key: PaymentKey,
  look: { now: Date; everyMs: number },
): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    update attempts set asked_at = ${look.now}
    where merchant_id = ${key.merchantId} and number = ${key.number} and account_id is not null
      and (state in ('action_required', 'submitted', 'unknown') or state = 'left_open' and not exists (
        select from attempts as later where later.merchant_id = ${key.merchantId} and later.number = ${key.number}
          and later.attempt > attempts.attempt))
      and (asked_at is null or asked_at <= ${new Date(look.now.getTime() - look.everyMs)}
        or asked_at > ${new Date(look.now.getTime() + look.everyMs)})
    returning ${attemptColumns}`)
  return rows[0]
}

export type PaymentSnapshot = { readonly payment: PaymentRow; readonly lastAttempt: AttemptRow | undefined }

/** Payments with the last attempt of each, in the order of the numbers. Both are read in one round trip. */
export async function findStanding(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<(PaymentSnapshot | undefined)[]> {
  const [payments = [], attempts = []] = await db.queryAll([
    sql`
    select ${paymentColumns} from ${asked(numbers)}
    join payments on payments.merchant_id = ${merchantId} and payments.number = asked.name`,
    sql`
    select distinct on (attempts.number) ${attemptColumns} from ${asked(numbers)}
    join attempts on attempts.merchant_id = ${merchantId} and attempts.number = asked.name
    order by attempts.number, attempts.attempt desc`,
  ])
  const lasts = new Map((attempts as AttemptRow[]).map((attempt) => [attempt.number, attempt]))
  const found = new Map(
    (payments as PaymentRow[]).map((payment) => [
      payment.number,
      { payment, lastAttempt: lasts.get(payment.number) },
    ]),
  )
  return numbers.map((number) => found.get(number))
}

/** By the keys that the network got, in their order. */
export async function findByKeys(
  db: Queryable,
  merchantId: number,
  idempotencyKeys: readonly string[],
): Promise<(AttemptRow | undefined)[]> {
  const rows = await db.query<AttemptRow>(sql`
    select ${attemptColumns} from ${asked(idempotencyKeys)}
    join attempts on attempts.merchant_id = ${merchantId} and attempts.idempotency_key = asked.name
    where account_id is not null`)
  const found = new Map(rows.map((attempt) => [attempt.idempotency_key, attempt]))
  return idempotencyKeys.map((key) => found.get(key))
}

/**
 * A table whose size PostgreSQL learns only when it runs the statement, so one plan serves every size. With `= any(...)` it
 * planned each call again, which took longer than running it.
 */
function asked(names: readonly string[]): Sql {
  return sql`(
      select * from unnest(${names}::text[]) as asked (name) limit (select ${names.length}::integer)
    ) as asked`
}

/** By what the network calls the order, or what it took for it. */
export async function findByReference(
  db: Database,
  merchantId: number,
  reference: string,
): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select ${attemptColumns} from attempts
    where merchant_id = ${merchantId} and connector_reference = ${reference} and account_id is not null
    order by number, attempt limit 1`)
  return rows[0]
}

export async function keepRefundReference(db: Database, key: AttemptKey, reference: string): Promise<void> {
  await db.query(sql`
    update attempts set refund_reference = ${reference}
    where merchant_id = ${key.merchantId} and number = ${key.number} and attempt = ${key.attempt}`)
}

export type HeldCharge = Pick<
  AttemptRow,
  | 'number'
  | 'attempt'
  | 'state'
  | 'connector'
  | 'connector_reference'
  | 'charge_reference'
  | 'charged_minor'
  | 'charged_currency'
  | 'updated_at'
> &
  Pick<PaymentRow, 'tx_ref' | 'amount_minor' | 'currency'>

const heldMax = 1_000

/** Held, or surplus that nobody asks back any more. The oldest first. */
export async function findHeld(db: Database, of: { merchantId: number; mode: Mode }): Promise<HeldCharge[]> {
  return db.query<HeldCharge>(sql`
    select attempts.number, attempts.attempt, attempts.state, attempts.connector, attempts.connector_reference,
           attempts.charge_reference, attempts.charged_minor, attempts.charged_currency, attempts.updated_at,
           payments.tx_ref, payments.amount_minor, payments.currency
    from attempts
    join payments on payments.merchant_id = ${of.merchantId} and payments.number = attempts.number
    where attempts.merchant_id = ${of.merchantId} and payments.mode = ${of.mode}
      and attempts.state in ('held', 'surplus') and (attempts.state = 'held' or attempts.next_check_at is null)
    order by attempts.updated_at limit ${heldMax}`)
}
