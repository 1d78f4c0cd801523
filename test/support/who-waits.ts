import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'

/** How many wait for a lock now: on a cluster they do so on its nodes, and the coordinator only knows of it. */
export async function countWaiting(db: Database): Promise<number> {
  const isSpread = (process.env['FLORIN_TEST_NODES'] ?? '') !== ''
  const waiting = isSpread
    ? await db.query(sql`
        select from citus_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    : await db.query(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  return waiting.length
}
