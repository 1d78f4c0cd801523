import type { Database } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'
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
 * looks how often at how many servers. A time of asking that is ahead of the clock was written by a wrong one.
 */
export async function claimLook(
  db: Database,
  key: PaymentKey,
  look: { now: Date; everyMs: number },
): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    update attempts set asked_at = ${look.now}
    where merchant_id = ${key.merchantId} and number = ${key.number} and account_id is not null
      and state in ('action_required', 'submitted', 'unknown')
      and (asked_at is null or asked_at <= ${new Date(look.now.getTime() - look.everyMs)}
        or asked_at > ${new Date(look.now.getTime() + look.everyMs)})
    returning ${attemptColumns}`)
  return rows[0]
}

/** By the key that the network got. */
export async function findByKey(
  db: Database,
  merchantId: number,
  idempotencyKey: string,
): Promise<AttemptRow | undefined> {
  const rows = await db.query<AttemptRow>(sql`
    select ${attemptColumns} from attempts
    where idempotency_key = ${idempotencyKey} and merchant_id = ${merchantId} and account_id is not null`)
  return rows[0]
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
