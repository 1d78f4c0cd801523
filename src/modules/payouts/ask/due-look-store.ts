import type { Database } from '../../../platform/database/database.ts'
import { planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'

// The only statement of payouts that crosses merchants: it finds merchants to visit, and nothing else.

/** A clock that was wrong must not keep an account waiting for longer than any pause. */
const furthestAheadMs = 2 * 86_400_000

export function isFeedDue(now: Date): Sql {
  const far = new Date(now.getTime() + furthestAheadMs)
  return sql`(next_check_at <= ${now}::timestamptz or next_check_at > ${far}::timestamptz)`
}

export const nextFeedCheck = sql`select min(next_check_at) from payout_feeds`

/** Merchants whose accounts have waited longest come first. */
export async function findMerchantsToAsk(db: Database, look: { now: Date; max: number }): Promise<number[]> {
  const statement = sql`
    select merchant_id from payout_feeds where ${isFeedDue(look.now)}
    group by merchant_id order by min(next_check_at) limit ${look.max}`
  const rows = await db.look<{ merchant_id: number }>(planEachTime(statement))
  return rows.map((row) => row.merchant_id).slice(0, look.max)
}
