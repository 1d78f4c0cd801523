import { sqlState, type Database } from './database.ts'
import { readMigrations } from './migrate.ts'
import { sql } from './sql.ts'
import { listProcesses, type RunningProcess } from './watch/processes.ts'

// What `florin status` reports about a database: nothing here concerns a merchant.

export type DatabaseFacts = {
  readonly version: string
  readonly bytes: number
  /** How many migrations have run, and which of this program's have not. */
  readonly migrations: number
  readonly missing: readonly string[]
  /** It was migrated by a newer program. */
  readonly isNewer: boolean
  readonly processes: readonly RunningProcess[]
}

const undefinedTable = '42P01'

export async function inspectDatabase(db: Database): Promise<DatabaseFacts> {
  const [server] = await db.query<{ version: string; bytes: number }>(sql`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes`)
  const applied = await appliedNames(db)
  const known = readMigrations().map(({ name }) => name)
  return {
    version: server?.version ?? '',
    bytes: server?.bytes ?? 0,
    migrations: applied.length,
    missing: known.filter((name) => !applied.includes(name)),
    isNewer: applied.length > known.length,
    processes: await listProcesses(db),
  }
}

async function appliedNames(db: Database): Promise<string[]> {
  try {
    const rows = await db.query<{ name: string }>(sql`select name from schema_migrations order by number`)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (sqlState(error) === undefinedTable) return []
    throw error
  }
}

export type NodeFacts = { readonly name: string; readonly isActive: boolean }

/** Where the tables are spread over, on a cluster; none elsewhere. */
export async function listNodes(db: Database): Promise<NodeFacts[]> {
  const [spread] = await db.query<{ is: boolean }>(sql`select to_regclass('pg_dist_node') is not null as is`)
  if (!spread?.is) return []
  return db.query<NodeFacts>(sql`
    select nodename || ':' || nodeport as name, isactive as "isActive" from pg_dist_node order by groupid, nodeid`)
}
