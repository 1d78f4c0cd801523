import { planEachTime, sql, statementName, type Sql } from '../sql.ts'

// The shards of each table on a node, and statements about only those.

/** On the coordinator, in one transaction; the rows of each. */
export type AskCoordinator = <R extends object>(statements: readonly Sql[]) => Promise<R[][]>

export type NodeShards = {
  /** As host:port. */
  readonly name: string
  readonly host: string
  readonly port: number
  /** The shards of each table by its name, as the node itself calls them. */
  readonly shards: ReadonlyMap<string, readonly string[]>
}

type ShardRow = { host: string; port: number; table: string; shards: string[] }

/** The nodes that hold rows. */
export async function readNodes(ask: AskCoordinator): Promise<NodeShards[]> {
  const [rows = []] = await ask<ShardRow>([
    planEachTime(sql`
      select nodename as host, nodeport as port, logicalrelid::regclass::text as "table",
        array_agg(shard_name(logicalrelid, shardid) order by shardid) as shards
      from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where noderole = 'primary'
      group by nodename, nodeport, logicalrelid
      order by nodename, nodeport`),
  ])
  const byNode = Map.groupBy(rows, ({ host, port }) => `${host}:${port}`)
  return [...byNode].map(([name, ofNode]) => ({
    name,
    host: ofNode[0]?.host ?? '',
    port: ofNode[0]?.port ?? 0,
    shards: new Map(ofNode.map(({ table, shards }) => [table, shards])),
  }))
}

/** The statement about one node's rows: each table is replaced by its shards there. */
export function nameShards(statement: Sql, { shards }: NodeShards): Sql {
  const text = statement.text.replaceAll(
    /\b(from|join) ([a-z_.]+)(?: as (\w+))?/g,
    (whole, word: string, table: string, alias?: string) => {
      const names = shards.get(table)
      if (!names) return whole
      const rows = names.map((name) => `select * from ${name}`).join(' union all ')
      return `${word} (${rows}) as ${alias ?? table.split('.').at(-1)}`
    },
  )
  // What is planned once stays so: planning over all shards takes longer than reading their indexes.
  return { ...statement, text, name: statement.name && statementName(text) }
}
