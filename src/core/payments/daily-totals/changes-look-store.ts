import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** As soon as there are any. */
export const nextFold = sql`select to_timestamp(0) from daily_total_changes limit 1`

/** The merchants with changes that are not folded into their totals. The table holds those of some seconds. */
export async function findMerchantsWithChanges(db: Database, max: number): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from daily_total_changes limit ${max}`)
  return rows.map(({ merchant_id }) => merchant_id)
}
