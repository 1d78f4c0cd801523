import type { Database } from '../../database/database.ts'
import { planEachTime, sql } from '../../database/sql.ts'

/** The merchants whose live refunds moved since then. */
export async function findMerchantsWithRefunds(db: Database, since: Date): Promise<number[]> {
  const statement = sql`
    select distinct merchant_id from refunds where mode = 'live' and updated_at >= ${since}`
  const rows = await db.look<{ merchant_id: number }>(planEachTime(statement))
  return rows.map((row) => row.merchant_id)
}
