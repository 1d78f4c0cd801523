import type { Database } from '../../platform/database/database.ts'
import { lookForMerchants } from '../../platform/database/spread/look-for-merchants.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

// The only statements of callbacks that cross merchants: they find merchants to visit, and nothing else.

export const abouts = ['order', 'refund', 'dispute', 'payout', 'method'] as const
export type About = (typeof abouts)[number]

/** A clock that was wrong must not keep an event waiting for longer than any pause between tries. */
const furthestAheadMs = 2 * 3_600_000

export function isDue(handled: readonly About[], now: Date): Sql {
  const far = new Date(now.getTime() + furthestAheadMs)
  return sql`state = 'waiting' and about = any(${handled}::text[])
    and (next_try_at <= ${now}::timestamptz or next_try_at > ${far}::timestamptz)`
}

export const nextEventTry = sql`select min(next_try_at) from callback_events where state = 'waiting'`

/** Merchants whose events have waited longest come first. */
export async function findMerchantsWithDueEvents(
  db: Database,
  look: { handled: readonly About[]; now: Date; max: number },
): Promise<number[]> {
  const statement = sql`
    select merchant_id from callback_events where ${isDue(look.handled, look.now)}
    group by merchant_id order by min(next_try_at) limit ${look.max}`
  return lookForMerchants(db, statement, look.max)
}

export async function findMerchantsWithEndedEvents(
  db: Database,
  look: { before: Date; max: number },
): Promise<number[]> {
  // No test of "state <> 'waiting'": what waits has no finished_at; it is for the index
  const statement = sql`
    select distinct merchant_id from callback_events
    where state <> 'waiting' and finished_at < ${look.before} limit ${look.max}`
  return lookForMerchants(db, statement, look.max)
}
