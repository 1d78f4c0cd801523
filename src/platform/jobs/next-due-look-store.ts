import type { Queryable } from '../database/database.ts'
import { join, sql, type Sql } from '../database/sql.ts'

/**
 * The earliest time of each query over all merchants. One statement with one plan, whatever the number of queries: nine looks
 * a second that found nothing took most of an idle server's time.
 */
export async function findNextDue(db: Queryable, queries: readonly Sql[]): Promise<(Date | undefined)[]> {
  const times = join(
    queries.map((query) => sql`(${query})`),
    ', ',
  )
  // Each node of a cluster answers with its own times.
  const rows = await db.look<{ due: (Date | null)[] }>(sql`select array[${times}]::timestamptz[] as due`)
  return queries.map((_, index) => earliest(rows.map(({ due }) => due[index] ?? undefined)))
}

function earliest(times: readonly (Date | undefined)[]): Date | undefined {
  return times.filter((time) => time !== undefined).toSorted((one, other) => Number(one) - Number(other))[0]
}
