import type { Queryable } from '../database.ts'
import { planEachTime, type Sql } from '../sql.ts'

/**
 * The merchants that a look finds, in its order. Planned with its values each time, as how much is due decides. Each node of a
 * cluster answers with up to `max` merchants, so all of them together may be more.
 */
export async function lookForMerchants(db: Queryable, look: Sql, max = Infinity): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(planEachTime(look))
  return rows.map((row) => row.merchant_id).slice(0, max)
}
