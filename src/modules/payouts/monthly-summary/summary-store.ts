import type { Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** False when the summary of this month was written before, by this server or another. */
export async function claimMonth(tx: Transaction, merchantId: number, month: string): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into monthly_summaries (merchant_id, month) values (${merchantId}, ${month})
    on conflict (merchant_id, month) do nothing
    returning month`)
  return rows.length === 1
}
