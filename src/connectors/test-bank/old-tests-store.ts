import type { Transaction } from '../../database/database.ts'
import { deleteOf, sql } from '../../database/sql.ts'
import type { OldTests } from '../../privacy/test-rows.ts'

export async function deletePagesOf(tx: Transaction, { merchantId, numbers }: OldTests): Promise<void> {
  const pages = await tx.query<{ reference: string }>(sql`
    select reference from test_network.pages
    where merchant_id = ${merchantId} and payment_number = any(${numbers}::text[])`)
  const names = pages.map(({ reference }) => reference)
  await tx.queryAll([
    deleteOf(sql`test_network.refunds`, sql`page_reference`, { merchantId, names }),
    deleteOf(sql`test_network.pages`, sql`payment_number`, { merchantId, names: numbers }),
  ])
}
