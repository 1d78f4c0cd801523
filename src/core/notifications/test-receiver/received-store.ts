import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { DeliveryState } from '../store.ts'

/** A notification about one payment, and how its last try went. */
export type Received = {
  readonly id: string
  readonly event: string
  readonly target: string
  readonly state: DeliveryState
  /** Empty once it is pruned. */
  readonly body: string
  readonly created_at: string
  readonly at: string | null
  readonly status: number | null
  readonly error: string | null
  readonly ms: number | null
}

/** The newest first; by the index deliveries_of_payment. */
export async function listReceived(
  db: Database,
  of: { readonly merchantId: number; readonly number: string; readonly limit: number },
): Promise<Received[]> {
  return db.query<Received>(sql`
    select deliveries.id, deliveries.event, deliveries.target, deliveries.state, deliveries.body, deliveries.created_at,
           last.at, last.status, last.error, last.ms
    from deliveries
    left join lateral (
      select at, status, error, ms from delivery_attempts
      where delivery_attempts.merchant_id = ${of.merchantId} and delivery_attempts.delivery_id = deliveries.id
      order by attempt desc limit 1
    ) as last on true
    where deliveries.merchant_id = ${of.merchantId} and deliveries.number = ${of.number} and deliveries.kind = 'ipn'
    order by deliveries.created_at desc, deliveries.id limit ${of.limit}`)
}
