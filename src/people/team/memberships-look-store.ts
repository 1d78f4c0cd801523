import { merchantsInOrder } from '../../database/spread/merchants-in-order.ts'
import type { Queryable } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'

const atOnce = 200

/** The merchants that a person belongs to; what the person may do there is asked merchant by merchant. */
export async function findMerchantsOf(db: Queryable, personId: string): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select merchant_id from memberships where person_id = ${personId} order by merchant_id limit ${atOnce}`)
  return merchantsInOrder(rows, atOnce)
}
