import type pg from 'pg'
import { firstTable, spreadColumn, spreadTables } from './placement.ts'

// Spreads tables over the nodes of a Citus cluster, by merchant. All in one transaction: a spreading that is interrupted
// has done nothing, and one that is repeated finds nothing to do.

/** Can't be spread; the message says what to do. */
export class SpreadRefused extends Error {}

export type Spread = {
  /** The extension's version, such as 13.2-1; undefined on a plain PostgreSQL. */
  readonly version: string | undefined
  /** False on a node that holds rows and does not coordinate. */
  readonly isCoordinator: boolean
  /** Tables that are spread already. */
  readonly tables: readonly string[]
}

const plain: Spread = { version: undefined, isCoordinator: true, tables: [] }

export async function readSpread(client: pg.Client): Promise<Spread> {
  const found = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  const version = found.rows[0]?.version
  if (version === undefined) return plain
  const group = await client.query<{ groupid: number }>('select groupid from pg_dist_local_group')
  const tables = await client.query<{ name: string }>(
    `select logicalrelid::regclass::text as name from pg_dist_partition where partmethod = 'h' order by 1`,
  )
  const isCoordinator = (group.rows[0]?.groupid ?? 0) === 0
  return { version, isCoordinator, tables: tables.rows.map(({ name }) => name) }
}

export function notTheCoordinator(): SpreadRefused {
  return new SpreadRefused(
    'This is a cluster node, not the coordinator. Set DATABASE_URL to the coordinator: only it revokes keys, announces work and changes schemas.',
  )
}

export function isSpread({ tables }: Spread): boolean {
  return tables.includes(firstTable)
}

/** Tables that are there and should be spread, in an order in which each comes after those that it refers to. */
export async function tablesToSpread(client: pg.Client, spread: Spread): Promise<string[]> {
  const there = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where oid = any(array_remove(array(
       select to_regclass(name)::oid from unnest($1::text[]) as name), null))`,
    [spreadTables],
  )
  const links = await client.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as "from", confrelid::regclass::text as "to"
     from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  )
  const left = new Set(there.rows.map(({ name }) => name).filter((name) => !spread.tables.includes(name)))
  const ordered: string[] = []
  const take = (table: string): void => {
    if (!left.delete(table)) return
    for (const { from, to } of links.rows) if (from === table) take(to)
    ordered.push(table)
  }
  take(firstTable)
  for (const table of [...left].toSorted()) take(table)
  return ordered
}

/** Inside the caller's transaction. The order is that of tablesToSpread. */
export async function spreadInOrder(
  client: pg.Client,
  tables: readonly string[],
  onTable: (table: string) => void = () => {},
): Promise<void> {
  await allowSpreading(client)
  for (const table of tables) {
    const following = table === firstTable ? 'none' : firstTable
    await client.query('select create_distributed_table($1::text::regclass, $2, colocate_with => $3)', [
      table,
      spreadColumn(table),
      following,
    ])
    onTable(table)
  }
}

/** For the transaction under way. */
export async function allowSpreading(client: pg.Client): Promise<void> {
  // Changes of several tables in one transaction take one connection to each node.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  // The trigger that protects the audit log looks only at its own row, so it can be on every node.
  await client.query('set local citus.enable_unsafe_triggers = on')
  await client.query('set local citus.shard_replication_factor = 1')
}

/** The rows copied to the nodes are still on the coordinator's disk, hidden from queries. */
export async function dropLocalCopies(client: pg.Client, tables: readonly string[]): Promise<void> {
  // The audit log refuses to be truncated, even where it is only a copy: that part stays on the coordinator.
  const refusing = await client.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal and tgtype & 32 <> 0`,
  )
  const kept = new Set(refusing.rows.map(({ name }) => name))
  for (const table of tables.filter((name) => !kept.has(name))) {
    await client.query('select truncate_local_data_after_distributing_table($1::text::regclass)', [table])
  }
}
