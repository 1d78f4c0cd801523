import type { Database } from '../../../platform/database/database.ts'
import { lookForMerchants } from '../../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The merchants with attempts through an account since then: one of the installation serves many. */
export async function findMerchantsThrough(db: Database, accountId: string, since: Date): Promise<number[]> {
  const statement = sql`
    select distinct merchant_id from attempts where account_id = ${accountId} and started_at >= ${since}`
  return lookForMerchants(db, statement)
}
