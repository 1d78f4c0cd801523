import type { Database } from '../database.ts'
import { sql } from '../sql.ts'
import { firstTable } from './placement.ts'

// How a database is spread, and which nodes answer: asked by this process itself, on connections of its own.

export type ClusterFacts = {
  readonly version: string
  readonly shards: number
  readonly nodes: readonly { readonly node: string; readonly shards: number; readonly answers: boolean }[]
}

/** Undefined on a plain PostgreSQL, or where nothing was spread. */
export async function inspectCluster(db: Database): Promise<ClusterFacts | undefined> {
  if (await db.nodes.askWhetherPlain()) return undefined
  const [found] = await db.query<{ version: string }>(
    sql`select extversion as version from pg_extension where extname = 'citus'`,
  )
  const asked = await db.nodes.askEach(sql`select 1`)
  const nodes = asked.map(({ node, rows }) => ({
    node: node.name,
    shards: node.shards.get(firstTable)?.length ?? 0,
    answers: !(rows instanceof Error),
  }))
  return { version: found?.version ?? '', shards: nodes.reduce((sum, node) => sum + node.shards, 0), nodes }
}

/** Whether this is a node that holds rows, and not the coordinator. */
export async function isNode(db: Database): Promise<boolean> {
  const [citus] = await db.query<{ here: boolean }>(
    sql`select to_regclass('pg_dist_local_group') is not null as here`,
  )
  if (citus?.here !== true) return false
  const [own] = await db.query<{ groupid: number }>(sql`select groupid from pg_dist_local_group`)
  return (own?.groupid ?? 0) !== 0
}
