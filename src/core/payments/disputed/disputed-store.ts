import type { Database, Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { attemptColumns, type AttemptRow } from '../attempts/attempt-store.ts'
import type { LockedPayment, PaymentKey, PaymentRow } from '../store.ts'
import type { PaidBack } from './loss.ts'

// What disputes need from the tables payments and attempts.

export async function setDispute(
  tx: Transaction,
  payment: LockedPayment,
  json: string,
): Promise<Pick<PaymentRow, 'dispute' | 'updated_at'>> {
  const rows = await tx.query<Pick<PaymentRow, 'dispute' | 'updated_at'>>(sql`
    update payments set dispute = ${json}::json, updated_at = now()
    where merchant_id = ${payment.merchant_id} and number = ${payment.number}
    returning dispute::text as dispute, updated_at`)
  const [row] = rows
  if (!row) throw new Error('A locked payment is gone')
  return row
}

export async function findByCharge(
  db: Database,
  merchantId: number,
  chargeReference: string,
): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(sql`
    select ${attemptColumns} from attempts
    where merchant_id = ${merchantId} and charge_reference = ${chargeReference}
    order by number, attempt limit 10`)
}

export async function listOfPayment(db: Database, key: PaymentKey): Promise<AttemptRow[]> {
  return db.query<AttemptRow>(sql`
    select ${attemptColumns} from attempts where merchant_id = ${key.merchantId} and number = ${key.number}
    order by attempt`)
}

/** The amounts paid and refunded for these payments. */
export async function findPaidBack(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<(PaidBack & Pick<PaymentRow, 'number'>)[]> {
  return db.query<PaidBack & Pick<PaymentRow, 'number'>>(sql`
    select number, amount_minor, refunded_minor, currency, dispute::text as dispute from payments
    where merchant_id = ${merchantId} and number = any(${numbers}::text[])`)
}
