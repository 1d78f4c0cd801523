import type { Database } from '../../../platform/database/database.ts'
import { lookForMerchants } from '../../../platform/database/spread/look-for-merchants.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { DeliveryKind } from '../store.ts'

/** Merchants with old deliveries: one index step per merchant, however many rows there are. */
export async function findMerchantsWithOld(
  db: Database,
  kind: DeliveryKind,
  before: Date,
  max: number,
): Promise<number[]> {
  // No test of "<": that merchant is visited and asked again anyway
  // No test of "kind =": saves a step: every merchant found is asked again
  // No test of "state <> 'waiting'": as above, for the next step
  // No test of "state <> 'paused'": as above, for the next step
  // No test of "body <> ''": as above, for the next step
  // No test of "kind =": as above, for the next step
  const statement = sql`
    with recursive owners as (
      (select merchant_id from deliveries
       where kind = ${kind} and state <> 'waiting' and state <> 'paused' and body <> ''
       order by merchant_id limit 1)
      union all
      select (select next.merchant_id from deliveries as next
              where next.merchant_id > owners.merchant_id and kind = ${kind} and state <> 'waiting'
                and state <> 'paused' and body <> ''
              order by next.merchant_id limit 1)
      from owners where owners.merchant_id is not null
    )
    select merchant_id from owners
    where exists (
      select from deliveries
      where deliveries.merchant_id = owners.merchant_id and kind = ${kind} and state <> 'waiting'
        and state <> 'paused' and body <> '' and created_at < ${before})
    limit ${max}`
  return lookForMerchants(db, statement)
}
