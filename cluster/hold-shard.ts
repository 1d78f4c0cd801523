import pg from 'pg'
import { findRange, readRanges, type HashRange } from '../src/platform/database/spread/merchant-places.ts'
import { query } from './query.ts'
import type { CitusCluster } from './start-cluster.ts'

// Writes to one shard wait, and reads go on, until `end`: what Citus does to it while it moves, with the same locks.

/** ExclusiveLock, by PostgreSQL's number. */
const lockMode = 7

export async function holdShard(
  { coordinator, nodes }: CitusCluster,
  database: string,
  shard: string,
): Promise<{ end(): Promise<void> }> {
  const clients: pg.Client[] = []
  for (const machine of [coordinator, ...nodes]) {
    const client = new pg.Client({ connectionString: machine.url(database) })
    clients.push(client)
    await client.connect()
    await client.query('begin')
    // With the shards of all other tables that hold rows of the same merchants.
    await client.query(
      `select lock_shard_metadata($1, array_agg(shardid)) from pg_dist_shard
       where shardminvalue = (select shardminvalue from pg_dist_shard where shardid = $2)`,
      [lockMode, shard],
    )
  }
  return { end: async () => void (await Promise.all(clients.map(async (client) => client.end()))) }
}

export async function shardOf(url: string, merchantId: number): Promise<string> {
  const ranges = await query<HashRange>(url, readRanges.text, [...readRanges.values])
  return findRange(ranges, merchantId)?.shard ?? ''
}
