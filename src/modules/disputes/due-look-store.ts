import type { Database } from '../../platform/database/database.ts'
import { lookForMerchants } from '../../platform/database/spread/look-for-merchants.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { longestPauseMs } from './check-schedule.ts'

// The only statement of disputes that crosses merchants: it finds merchants to visit, and nothing else.

/** Its time has come, or a clock that was wrong put it off for longer than any pause. */
export function isToCheck(now: Date): Sql {
  const far = new Date(now.getTime() + 2 * longestPauseMs)
  return sql`(next_check_at <= ${now}::timestamptz or next_check_at > ${far}::timestamptz)`
}

export const nextDisputeCheck = sql`select min(next_check_at) from disputes where next_check_at is not null`

/** Merchants whose disputes have waited longest come first. */
export async function findMerchantsWithDisputesToCheck(
  db: Database,
  look: { now: Date; max: number },
): Promise<number[]> {
  const statement = sql`
    select merchant_id from disputes where ${isToCheck(look.now)}
    group by merchant_id order by min(next_check_at) limit ${look.max}`
  return lookForMerchants(db, statement, look.max)
}
