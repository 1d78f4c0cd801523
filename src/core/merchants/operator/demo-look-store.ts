import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The merchants that `florin demo` made: one, or none. */
export async function findDemos(db: Queryable): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select id as merchant_id from merchants where is_demo order by id limit 10`)
  return rows.map(({ merchant_id: id }) => id)
}
