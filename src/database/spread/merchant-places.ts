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
}

export const readRanges: Sql = planEachTime(sql`
  select shardid::text as shard, nodename || ':' || nodeport as node,
    shardminvalue::integer as min, shardmaxvalue::integer as max
  from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
  where noderole = 'primary' and logicalrelid = ${firstTable}::text::regclass`)

export function findRange(ranges: readonly HashRange[], merchantId: number): HashRange | undefined {
  const hash = hashOf(merchantId)
  return ranges.find(({ min, max }) => min <= hash && hash <= max)
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
