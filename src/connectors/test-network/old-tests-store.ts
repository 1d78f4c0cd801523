import type { Transaction } from '../../database/database.ts'
import { deleteOf, sql } from '../../database/sql.ts'
import type { OldTests } from '../../privacy/test-rows.ts'

export async function deleteChargesOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const charges = await tx.query<{ reference: string }>(sql`
    select reference from test_network.charges
    where merchant_id = ${merchantId} and payment_number = any(${numbers}::text[])`)
  const names = charges.map(({ reference }) => reference)
  await tx.queryAll([
    deleteOf(sql`test_network.card_refunds`, sql`charge_reference`, { merchantId, names }),
    deleteOf(sql`test_network.charges`, sql`payment_number`, { merchantId, names: numbers }),
  ])
}
