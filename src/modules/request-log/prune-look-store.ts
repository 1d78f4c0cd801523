import type { Database } from '../../platform/database/database.ts'
import { lookForMerchants } from '../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../platform/database/sql.ts'

/** The merchants of the oldest requests; from as many rows as can be read in a moment. */
export async function findMerchantsToPrune(db: Database, before: Date, rowsMax: number): Promise<number[]> {
  const oldest = sql`
    select distinct merchant_id from (
      select merchant_id from request_log where at < ${before} order by at limit ${rowsMax}
    ) as oldest`
  return lookForMerchants(db, oldest)
}
