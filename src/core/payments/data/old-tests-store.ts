import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { deleteOf, planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import type { OldTests } from '../../privacy/test-rows.ts'

// Payments of test mode that ended long ago, in the tables payments, payment_history, payment_notes, attempts, search_entries
// and form_refusals.

type DeleteRequest = { readonly merchantId: number; readonly before: Date; readonly max: number }
type OldTest = { readonly number: string; readonly tx_ref: string }

/** By created_at first, as the list of payments has an index of it; every move after that is in updated_at. */
function isOldTest({ merchantId, before }: DeleteRequest): Sql {
  return sql`payments.mode = 'test' and payments.state <> 'pending'
    and payments.created_at < ${before} and payments.updated_at < ${before}
    and not exists (
      select from attempts
      where attempts.merchant_id = ${merchantId} and attempts.number = payments.number
        and attempts.state not in ('succeeded', 'declined', 'abandoned', 'returned', 'left_open', 'not_sent'))`
}

export async function findOld(db: Queryable, asked: DeleteRequest): Promise<OldTest[]> {
  return db.query<OldTest>(
    planEachTime(sql`
      select number, tx_ref from payments where merchant_id = ${asked.merchantId} and ${isOldTest(asked)}
      order by created_at, number limit ${asked.max}`),
  )
}

export async function lockOld(tx: Transaction, asked: DeleteRequest): Promise<OldTest[]> {
  return tx.query<OldTest>(
    planEachTime(sql`
      select number, tx_ref from payments where merchant_id = ${asked.merchantId} and ${isOldTest(asked)}
      order by created_at, number limit ${asked.max} for update of payments skip locked`),
  )
}

export async function deletePayments(
  tx: Transaction,
  { merchantId, numbers, txRefs }: OldTests,
): Promise<void> {
  const named = { merchantId, names: numbers }
  await tx.queryAll([
    sql`
      delete from form_refusals
      where merchant_id = ${merchantId} and mode = 'test' and tx_ref = any(${txRefs}::text[])`,
    deleteOf(sql`payment_notes`, sql`number`, named),
    deleteOf(sql`payment_history`, sql`number`, named),
    deleteOf(sql`attempts`, sql`number`, named),
    deleteOf(sql`search_entries`, sql`number`, named),
    deleteOf(sql`payments`, sql`number`, named),
  ])
}
