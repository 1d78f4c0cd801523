import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

/** The merchants that a person belongs to; what the person may do there is asked merchant by merchant. */
export async function findMerchantsOf(db: Queryable, personId: string): Promise<number[]> {
  const rows = await db.query<{ merchant_id: number }>(sql`
    select merchant_id from memberships where person_id = ${personId} order by merchant_id limit 200`)
  return rows.map(({ merchant_id }) => merchant_id)
}
