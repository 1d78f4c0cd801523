import type { Queryable } from '../../../platform/database/database.ts'
import { lookForMerchants } from '../../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../../platform/database/sql.ts'

/**
 * Merchants with payments that wait for their entries, in either mode. One statement jumps from merchant to merchant in the
 * index of payments: some microseconds each, where asking one by one took a round trip each.
 */
export async function findMerchantsToIndex(db: Queryable, max: number): Promise<number[]> {
  return lookForMerchants(
    db,
    sql`
    with recursive known as (
      (select merchant_id from payments order by merchant_id limit 1)
      union all
      select (select payments.merchant_id from payments where payments.merchant_id > known.merchant_id
              order by payments.merchant_id limit 1)
      from known where known.merchant_id is not null
    )
    select merchant_id from known
    where merchant_id is not null and exists (
      select from (values ('test'), ('live')) as modes (mode)
      where exists (
        select from payments
        where payments.merchant_id = known.merchant_id and payments.mode = modes.mode
          and payments.created_at < now() - interval '1 minute'
          and payments.created_at > coalesce((
            select max(until_at) from search_slices
            where search_slices.merchant_id = known.merchant_id and search_slices.mode = modes.mode), '-infinity')))
    limit ${max}`,
    max,
  )
}
