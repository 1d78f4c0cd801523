import type { Transaction } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { paymentColumns, type LockedPayment } from './store.ts'

// What refunds change in the table payments, besides the state, which transition.ts moves.

/** Returns which refund of the payment it is, from 1. */
export async function countRequest(tx: Transaction, payment: LockedPayment): Promise<number> {
  const rows = await tx.query<{ refunds: number }>(sql`
    update payments set refunds = refunds + 1
    where merchant_id = ${payment.merchant_id} and number = ${payment.number}
    returning refunds`)
  const [row] = rows
  if (!row) throw new Error('A locked payment is gone')
  return row.refunds
}

/** Negative: a refund bounced. `also` is written together with it. */
export async function addRefunded(
  tx: Transaction,
  payment: LockedPayment,
  amountMinor: bigint,
  also: readonly Sql[] = [],
): Promise<LockedPayment> {
  const [rows = []] = await tx.queryAll<LockedPayment>([
    sql`
    update payments set refunded_minor = refunded_minor + ${amountMinor}::bigint, updated_at = now()
    where merchant_id = ${payment.merchant_id} and number = ${payment.number}
    returning ${paymentColumns}`,
    ...also,
  ])
  const [row] = rows
  if (!row) throw new Error('A locked payment is gone')
  return row
}
