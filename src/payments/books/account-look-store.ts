import type { Database } from '../../database/database.ts'
import { planEachTime, sql } from '../../database/sql.ts'

/** The merchants with attempts through an account since then: one of the installation serves many. */
export async function findMerchantsThrough(db: Database, accountId: string, since: Date): Promise<number[]> {
  const statement = sql`
    select distinct merchant_id from attempts where account_id = ${accountId} and started_at >= ${since}`
  const rows = await db.look<{ merchant_id: number }>(planEachTime(statement))
  return rows.map((row) => row.merchant_id)
}
