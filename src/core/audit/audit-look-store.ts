import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { EntryFilter } from './audit-store.ts'

/** The merchants of the newest entries: with this limit no other merchant can have one. */
export async function findMerchantsOfNewest(db: Database, filter: EntryFilter): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select merchant_id from audit_log
    where (${filter.since ?? null}::timestamptz is null or at >= ${filter.since ?? null}::timestamptz)
      and (${filter.until ?? null}::timestamptz is null or at < ${filter.until ?? null}::timestamptz)
      and (${filter.action ?? null}::text is null or starts_with(action, ${filter.action ?? null}))
      and (${filter.subject ?? null}::text is null or subject = ${filter.subject ?? null})
      and (${filter.after?.at ?? null}::timestamptz is null
        or (at, id) < (${filter.after?.at ?? null}::timestamptz, ${filter.after?.id ?? null}::text))
    group by merchant_id order by max(at) desc limit ${filter.limit}`)
  return rows.map(({ merchant_id }) => merchant_id)
}

/** Merchants with older entries. */
export async function findMerchantsOfOldest(db: Database, before: Date, limit: number): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from (
      select merchant_id from audit_log where at < ${before.toISOString()} order by at limit 1000) as oldest
    limit ${limit}`)
  return rows.map(({ merchant_id }) => merchant_id)
}
