import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { namesOfServers } from './processes.ts'

// How many servers of Florin use this database now: what guessers are allowed is divided among them.

export type ServerCount = { readonly count: number; refresh(): Promise<void>; close(): void }

const firstMs = 1_000

/** Asked for every half minute; one until it is known, and as before while the database is away. */
export function countServers(db: Database, everyMs = 30_000): ServerCount {
  let count = 1
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function refresh(): Promise<void> {
    const [row] = await db.query<{ servers: number }>(sql`
      select count(*)::integer as servers from pg_stat_activity
      where datname = current_database() and application_name ~ ${namesOfServers}`)
    count = Math.max(1, row?.servers ?? 1)
  }

  function again(ms: number): void {
    timer = setTimeout(() => {
      void refresh()
        .catch(() => {})
        .then(() => isClosed || again(everyMs))
    }, ms).unref()
  }
  again(firstMs)

  return {
    get count() {
      return count
    },
    refresh,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
