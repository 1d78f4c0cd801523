import type { Database } from '../../platform/database/database.ts'
import { lookForMerchants } from '../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../platform/database/sql.ts'

// The only statement of links that crosses merchants: it finds merchants to visit, and nothing else.

export const nextLookAtLinks = sql`select min(look_at) from link_payments where state = 'open'`

/** Merchants whose payments have waited longest come first. */
export async function findMerchantsWithLinksToLookAt(
  db: Database,
  look: { readonly now: Date; readonly max: number },
): Promise<number[]> {
  const statement = sql`
    select merchant_id from link_payments where state = 'open' and look_at <= ${look.now}::timestamptz
    group by merchant_id order by min(look_at) limit ${look.max}`
  return lookForMerchants(db, statement)
}
