import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

export type ListenerAnswer = {
  readonly merchantId: number
  readonly endpointId: string
  readonly id: string
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
}

/** False when there is no such notification, or it was answered before. */
export async function recordAnswer(db: Database, told: ListenerAnswer, now: Date): Promise<boolean> {
  const isTaken = told.status !== null && told.status >= 200 && told.status < 300
  const rows = await db.query(sql`
    with answered as (
      update deliveries
      set state = ${isTaken ? 'delivered' : 'failed'}, tries = tries + 1, finished_at = ${now.toISOString()}
      where merchant_id = ${told.merchantId} and mode = 'test' and id = ${told.id} and endpoint_id = ${told.endpointId}
        and state = 'kept'
      returning merchant_id, id, tries
    )
    insert into delivery_attempts (merchant_id, delivery_id, attempt, at, ms, status, error)
    select merchant_id, id, tries, ${now.toISOString()}::timestamptz, ${told.ms}::integer, ${told.status}::integer,
           ${told.error}::text
    from answered
    returning delivery_id`)
  return rows.length === 1
}
