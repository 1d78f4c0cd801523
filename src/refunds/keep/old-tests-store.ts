import type { Transaction } from '../../database/database.ts'
import { deleteOf, sql } from '../../database/sql.ts'
import type { OldTests } from '../../privacy/test-rows.ts'

/** Those of a refund that the network is still asked about. */
export async function findUnderWay(tx: Transaction, { merchantId, numbers }: OldTests): Promise<string[]> {
  const rows = await tx.query<{ number: string }>(sql`
    select distinct number from refunds
    where merchant_id = ${merchantId} and number = any(${numbers}::text[]) and next_check_at is not null`)
  return rows.map(({ number }) => number)
}

export async function deleteRefundsOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const refunds = await tx.query<{ id: string }>(sql`
    select id from refunds where merchant_id = ${merchantId} and number = any(${numbers}::text[])`)
  await tx.queryAll([
    deleteOf(sql`refund_history`, sql`refund_id`, { merchantId, names: refunds.map(({ id }) => id) }),
    deleteOf(sql`refunds`, sql`number`, { merchantId, names: numbers }),
    deleteOf(sql`refund_totals`, sql`number`, { merchantId, names: numbers }),
  ])
}
