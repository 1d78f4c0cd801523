import type { Database } from '../../platform/database/database.ts'
import { lookForMerchants } from '../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../platform/database/sql.ts'

export const nextNews = sql`
  select min(next_tell_at) from test_network.charges where next_tell_at is not null`

/** Merchants with news about a dispute. */
export async function findMerchantsToTell(db: Database, now: Date, max: number): Promise<number[]> {
  const statement = sql`
    select merchant_id from test_network.charges where next_tell_at <= ${now}
    group by merchant_id order by min(next_tell_at) limit ${max}`
  return lookForMerchants(db, statement, max)
}
