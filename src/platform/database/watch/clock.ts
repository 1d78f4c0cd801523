import type { Database } from '../database.ts'
import { sql } from '../sql.ts'

/** How far the clock of this machine is ahead of the database's, in milliseconds; behind it: below zero. */
export async function clockAheadMs(db: Database, now: () => number = Date.now): Promise<number> {
  const before = now()
  const [row] = await db.query<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  const after = now()
  const there = row?.ms ?? after
  // The database looked at its clock at some moment between the two.
  if (there < before) return before - there
  return there > after ? after - there : 0
}
