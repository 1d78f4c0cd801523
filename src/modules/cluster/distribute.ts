import pg from 'pg'
import { namesOfProcesses, readName } from '../../platform/database/watch/processes.ts'
import { lockSchema, readMigrations } from '../../platform/database/migrate.ts'
import { setNoTimeLimit } from '../../platform/database/pool/no-time-limit.ts'
import { placements } from '../../platform/database/spread/placement.ts'
import {
  dropLocalCopies,
  notTheCoordinator,
  readSpread,
  spreadInOrder,
  SpreadRefused,
  tablesToSpread,
  type Spread,
} from '../../platform/database/spread/spread.ts'

// Makes a cluster of a database on a Citus coordinator. In two steps, so that a person reads the plan before it is done.

export type Plan = {
  readonly version: string
  /** As host:port, of the nodes that take rows. */
  readonly nodes: readonly string[]
  readonly shards: number
  /** In the order in which they will be spread; none when all are. */
  readonly tables: readonly string[]
  readonly onCoordinator: readonly string[]
}

/** The statements of looks and of joins with rows from JSON were tried on 13; 11 and older copy no roles to nodes. */
const oldestMajor = 12

export async function planDistribution(url: string): Promise<Plan> {
  return withClient(url, makePlan)
}

/** Does what the plan says; `onTable` is called for each table. */
export async function distribute(url: string, onTable: (table: string) => void): Promise<void> {
  await withClient(url, async (client) => {
    await lockSchema(client)
    const { tables } = await makePlan(client)
    await client.query('begin')
    await spreadInOrder(client, tables, onTable)
    await client.query('commit')
    await dropLocalCopies(client, (await readSpread(client)).tables)
  })
}

async function makePlan(client: pg.Client): Promise<Plan> {
  const spread = await readSpread(client)
  const version = await refuseUnfit(client, spread)
  await refuseOtherSchema(client)
  const nodes = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node
     where isactive and shouldhaveshards and noderole = 'primary' order by nodeid`,
  )
  if (nodes.rows.length === 0) {
    throw new SpreadRefused(
      "The cluster has no nodes for data. Add some first, on the coordinator: select citus_set_coordinator_host('HOST', PORT), then select citus_add_node('HOST', PORT) for each.",
    )
  }
  const tables = await tablesToSpread(client, spread)
  if (tables.length > 0) await refuseWhileUsed(client)
  const shards = await client.query<{ count: number }>(
    `select current_setting('citus.shard_count')::integer as count`,
  )
  return {
    version,
    nodes: nodes.rows.map(({ node }) => node),
    shards: shards.rows[0]?.count ?? 0,
    tables,
    onCoordinator: Object.keys(placements).filter((table) => placements[table] === 'coordinator'),
  }
}

async function refuseUnfit(client: pg.Client, { version, isCoordinator }: Spread): Promise<string> {
  if (version === undefined) {
    const available = await client.query(`select from pg_available_extensions where name = 'citus'`)
    const what =
      available.rowCount === 0
        ? 'This is a plain PostgreSQL. A cluster needs the extension Citus: its packages, its container image or a managed service (docs/scaling.md).'
        : 'Citus is installed but not created in this database. Run on every node: create extension citus.'
    throw new SpreadRefused(what)
  }
  if (Number.parseInt(version, 10) < oldestMajor) {
    throw new SpreadRefused(
      `This is Citus ${version}; Florin needs ${oldestMajor} or newer, and is tested with 13.2.`,
    )
  }
  if (!isCoordinator) throw notTheCoordinator()
  return version
}

async function refuseOtherSchema(client: pg.Client): Promise<void> {
  const list = await client.query(`select where to_regclass('schema_migrations') is not null`)
  const applied =
    list.rowCount === 0 ? 0 : (await client.query('select number from schema_migrations')).rowCount
  if (applied === readMigrations().length) return
  throw new SpreadRefused('The database schema does not match this version. Run florin migrate first.')
}

/** Their statements would mix distributed and local tables. */
async function refuseWhileUsed(client: pg.Client): Promise<void> {
  const used = await client.query<{ name: string }>(
    `select application_name as name from pg_stat_activity
     where datname = current_database() and application_name ~ $1`,
    [namesOfProcesses],
  )
  if (used.rows.length === 0) return
  const names = [...new Set(used.rows.map(({ name }) => readName(name)?.role ?? name))].join(', ')
  throw new SpreadRefused(`Stop these first, then distribute: ${names} (${used.rows.length} running).`)
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'florin distribute' })
  client.on('error', () => {})
  await client.connect()
  try {
    await setNoTimeLimit(client)
    return await work(client)
  } finally {
    await client.end()
  }
}
