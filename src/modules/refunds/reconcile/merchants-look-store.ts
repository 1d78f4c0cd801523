import type { Database } from '../../../platform/database/database.ts'
import { lookForMerchants } from '../../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The merchants whose live refunds moved since then. */
export async function findMerchantsWithRefunds(db: Database, since: Date): Promise<number[]> {
  const statement = sql`
    select distinct merchant_id from refunds where mode = 'live' and updated_at >= ${since}`
  return lookForMerchants(db, statement)
}
