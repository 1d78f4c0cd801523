import { firstTable } from './placement.ts'
import { planEachTime, sql, type Sql } from '../sql.ts'

// Which shard and node a merchant's rows are on, without asking the database.

/** Merchants whose hash is from `min` to `max` are in this shard. */
export type HashRange = {
  readonly shard: string
  /** As host:port. */
  readonly node: string
  readonly min: number
  readonly max: number
  /** The node can answer statements by itself. */
  readonly answers: boolean
}

export const readRanges: Sql = planEachTime(sql`
  select shardid::text as shard, nodename || ':' || nodeport as node,
    shardminvalue::integer as min, shardmaxvalue::integer as max,
    isactive and hasmetadata and metadatasynced as answers
  from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
  where noderole = 'primary' and logicalrelid = ${firstTable}::text::regclass`)

/** The shards of all tables that are spread like the first, each with the beginning of its range. */
export const readShardNames: Sql = planEachTime(sql`
  select shardminvalue::integer as min, logicalrelid::regclass::text as "table", shard_name(logicalrelid, shardid) as name
  from pg_dist_shard join pg_dist_partition using (logicalrelid)
  where colocationid = (select colocationid from pg_dist_partition where logicalrelid = ${firstTable}::text::regclass)`)

export type ShardName = { readonly min: number; readonly table: string; readonly name: string }

export function findRange<R extends HashRange>(ranges: readonly R[], merchantId: number): R | undefined {
  const hash = hashOf(merchantId)
  return ranges.find(({ min, max }) => min <= hash && hash <= max)
}

const numbersTried = 10_000

/** For each node a number whose rows would be there, whether a merchant has it or not; null where none was found. */
export function numberOnEach(ranges: readonly HashRange[]): Map<string, number | null> {
  const found = new Map<string, number | null>(ranges.map(({ node }) => [node, null]))
  for (let number = 1; number <= numbersTried && [...found.values()].includes(null); number += 1) {
    const node = findRange(ranges, number)?.node
    if (node !== undefined) found.set(node, number)
  }
  return found
}

/** PostgreSQL's own hashint4, by which Citus spreads rows. */
export function hashOf(merchantId: number): number {
  let a = 0x9e3779b9 + 4 + 3923095
  let [b, c] = [a, a]
  a += merchantId
  c = (c ^ b) - rotate(b, 14)
  a = (a ^ c) - rotate(c, 11)
  b = (b ^ a) - rotate(a, 25)
  c = (c ^ b) - rotate(b, 16)
  a = (a ^ c) - rotate(c, 4)
  b = (b ^ a) - rotate(a, 14)
  c = (c ^ b) - rotate(b, 24)
  return c | 0
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by))
}
