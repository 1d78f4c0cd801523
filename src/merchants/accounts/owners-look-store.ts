import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** The merchants that have, or had, an account of their own at a network. */
export async function findMerchantsWithAccounts(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ merchant_id: number }>(sql`
    select distinct merchant_id from connector_accounts order by merchant_id`)
  return rows.map((row) => row.merchant_id)
}
