import type { Transaction } from '../../platform/database/database.ts'
import { deleteOf, sql } from '../../platform/database/sql.ts'
import type { OldTests } from '../../core/privacy/test-rows.ts'

/** Payments with a dispute that is still being checked. */
export async function findUndecided(tx: Transaction, { merchantId, numbers }: OldTests): Promise<string[]> {
  const rows = await tx.query<{ number: string }>(sql`
    select distinct number from disputes
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and next_check_at is not null`)
  return rows.map(({ number }) => number)
}

export async function deleteDisputesOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const disputes = await tx.query<{ id: string }>(sql`
    select id from disputes where merchant_id = ${merchantId} and number = any(${numbers}::text[])`)
  const names = disputes.map(({ id }) => id)
  await tx.queryAll([
    deleteOf(sql`dispute_replies`, sql`dispute_id`, { merchantId, names }),
    deleteOf(sql`dispute_history`, sql`dispute_id`, { merchantId, names }),
    deleteOf(sql`disputes`, sql`number`, { merchantId, names: numbers }),
  ])
}
