import pg from 'pg'
import { mayMove } from '../../platform/database/spread/keep-in-place.ts'
import { setNoTimeLimit } from '../../platform/database/pool/no-time-limit.ts'
import { firstTable } from '../../platform/database/spread/placement.ts'
import {
  isSpread,
  notTheCoordinator,
  readSpread,
  SpreadRefused,
} from '../../platform/database/spread/spread.ts'

// Brings a merchant to another node of the cluster. The merchant first gets shards of its own, split off from those that it
// shares with others, which then move. Each step is whole or not done, and a repeated move goes on where the last one ended.

export type ShardPlacement = { readonly node: string; readonly shard: string; readonly isAlone: boolean }

/**
 * Writes in the merchant's shard wait meanwhile. `force_logical` would let them go on, but needs wal_level = logical and,
 * on newer minor releases, output_plugin_libraries on all nodes; with a steady load it had not ended after five minutes.
 */
const mode = 'block_writes'

export type Moved = { readonly from: string; readonly to: string }

export async function moveMerchant(
  url: string,
  merchantId: number,
  to: string,
  tell: (step: string) => void,
): Promise<Moved> {
  const client = new pg.Client({ connectionString: url, application_name: 'florin move' })
  client.on('error', () => {})
  await client.connect()
  try {
    await setNoTimeLimit(client)
    await refuseUnspread(client)
    await refuseUnknownNode(client, to)
    await refuseDuringRebalance(client)
    await mayMove(client)
    const before = await findPlace(client, merchantId)
    if (!before.isAlone) {
      tell(`gives merchant ${merchantId} shards of its own`)
      await isolate(client, merchantId)
    }
    const { shard, node } = await findPlace(client, merchantId)
    if (node !== to) {
      tell(`moves them from ${node} to ${to}`)
      await client.query(
        `select citus_move_shard_placement($1::bigint, $2::text, $3::integer, $4::text, $5::integer, shard_transfer_mode => '${mode}')`,
        [shard, ...hostAndPort(node), ...hostAndPort(to)],
      )
    }
    return { from: before.node, to }
  } catch (error) {
    throw isBusyMoving(error) ? new SpreadRefused(busyMoving) : error
  } finally {
    await client.end()
  }
}

const busyMoving =
  'Citus is moving shards right now, for a rebalance or another move. Try again when that has finished: select citus_rebalance_wait().'

/** Citus gives these no code of their own. */
function isBusyMoving(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.message.startsWith('could not acquire the lock required to ')
  )
}

async function isolate(client: pg.Client, merchantId: number): Promise<void> {
  await client.query(
    `select isolate_tenant_to_new_shard($1::text::regclass, $2::integer, 'CASCADE', shard_transfer_mode => '${mode}')`,
    [firstTable, merchantId],
  )
}

async function findPlace(client: pg.Client, merchantId: number): Promise<ShardPlacement> {
  const { rows } = await client.query<ShardPlacement>(
    `select nodename || ':' || nodeport as node, shardid::text as shard, shardminvalue = shardmaxvalue as "isAlone"
     from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
     where noderole = 'primary'
       and shardid = get_shard_id_for_distribution_column($1::text::regclass, $2::integer)`,
    [firstTable, merchantId],
  )
  if (!rows[0]) throw new Error(`No shard holds merchant ${merchantId}`)
  return rows[0]
}

async function refuseUnspread(client: pg.Client): Promise<void> {
  const spread = await readSpread(client)
  if (!spread.isCoordinator) throw notTheCoordinator()
  if (!isSpread(spread))
    throw new SpreadRefused('This database is not distributed: run florin distribute on a cluster first.')
}

async function refuseUnknownNode(client: pg.Client, to: string): Promise<void> {
  const { rows } = await client.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node
     where isactive and shouldhaveshards and noderole = 'primary' order by nodeid`,
  )
  const nodes = rows.map(({ node }) => node)
  if (!nodes.includes(to))
    throw new SpreadRefused(`The cluster has no data node ${to}; it has ${nodes.join(', ')}.`)
}

/** Its plan names shards; one that is split meanwhile it would look for forever. It takes its lock only when it moves one. */
async function refuseDuringRebalance(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select from pg_dist_background_job where finished_at is null limit 1')
  if (rows.length > 0) throw new SpreadRefused(busyMoving)
}

function hostAndPort(node: string): [string, number] {
  const at = node.lastIndexOf(':')
  return [node.slice(0, at), Number(node.slice(at + 1))]
}
