import { merchantsInOrder } from '../../../platform/database/spread/merchants-in-order.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

const atOnce = 200

/** Merchants with a member who gets the monthly summary. */
export async function findMerchantsWithSummary(db: Queryable, max: number): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from memberships where monthly_summary order by merchant_id limit ${max}`)
  return rows.map(({ merchant_id: id }) => id)
}

/** The merchants that a person belongs to; what the person may do there is asked merchant by merchant. */
export async function findMerchantsOf(db: Queryable, personId: string): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select merchant_id from memberships where person_id = ${personId} order by merchant_id limit ${atOnce}`)
  return merchantsInOrder(rows, atOnce)
}
