import type { Database } from '../../database/database.ts'
import { planEachTime, sql } from '../../database/sql.ts'

/** Whose disputes there is something new of. */
export async function findMerchantsToTell(db: Database, now: Date, max: number): Promise<number[]> {
  const statement = sql`
    select merchant_id from test_network.charges where next_tell_at <= ${now}
    group by merchant_id order by min(next_tell_at) limit ${max}`
  const rows = await db.look<{ merchant_id: number }>(planEachTime(statement))
  return rows.map((row) => row.merchant_id).slice(0, max)
}
