import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { moveMerchant } from '../src/modules/cluster/move-merchant.ts'
import type { House } from '../test/support/house.ts'
import { runFlorinProcess } from '../test/support/run-florin.ts'
import { goesStraight, hearOfAll, openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'
import { query } from './query.ts'
import { nodeOf, type Shop } from './shop.ts'

// Run by `npm run cluster` alone: splitting and copying thirty tables takes too long for `npm test`.

let opened: ClusterHouse | undefined
before(async () => {
  // Every payment is looked up at the end, however many the machine made.
  opened = await openClusterHouse({ RATE_LIMIT_BURST: '100000', RATE_LIMIT_PER_SECOND: '100000' })
})
after(async () => opened?.close())

test('`florin merchant move` moves a merchant to another node under load without losing anything', async () => {
  assert.ok(opened)
  const { house, shops } = opened
  const [shop, other] = shops
  const moved = await whilePaid(shops, async () =>
    runFlorinProcess(['merchant', 'move', String(shop.merchantId), '--to', other.node], ofDatabase(house)),
  )
  assert.deepEqual([moved.code, moved.err], [0, ''])
  assert.match(moved.out, new RegExp(`^Merchant ${shop.merchantId} is now on ${other.node}$`, 'm'))
  assert.equal(await nodeOf(house.databaseUrl, shop.merchantId), other.node)
  for (let count = 0; count < 5; count += 1) assert.ok(await shop.buy(), 'it goes on at once')
  await goesStraight(opened, shop)
  await nothingIsLost(shops)
})

test('`florin status` shows how the database is distributed', async () => {
  assert.ok(opened)
  const { house, cluster, shops } = opened
  const { out } = await runFlorinProcess(['status'], ofDatabase(house))
  assert.match(out, new RegExp(`^Cluster +Citus ${RegExp.escape(cluster.version)}, \\d+ shards on `, 'm'))
  for (const { node } of shops) assert.match(out, new RegExp(`${RegExp.escape(node)} \\(\\d+\\)`))
})

const ofDatabase = ({ databaseUrl }: House): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  BASE_URL: 'http://127.0.0.1:1',
})

/** What waits for too long is refused, and must then not be half done. */
async function whilePaid<T>(shops: readonly Shop[], work: () => Promise<T>): Promise<T> {
  const busy = { isOver: false }
  const buying = shops.map(async (shop) => {
    while (!busy.isOver) await shop.buy()
  })
  try {
    return await work()
  } finally {
    busy.isOver = true
    await Promise.all(buying)
  }
}

async function nothingIsLost(shops: readonly Shop[]): Promise<void> {
  for (const shop of shops) {
    assert.ok(await shop.buy())
    for (const txRef of shop.paid) assert.equal(await shop.stateOf(txRef), 'success', txRef)
    for (const txRef of shop.created) assert.notEqual(await shop.stateOf(txRef), '404', txRef)
    await hearOfAll(shop)
  }
}

/** Of one table: all tables of a merchant move together. */
async function shardsOfNodes(url: string): Promise<number[]> {
  const rows = await query<{ shards: number }>(
    url,
    `select count(shardid)::integer as shards from pg_dist_node
     left join (select groupid, shardid from pg_dist_placement join pg_dist_shard using (shardid)
       where logicalrelid = 'merchants'::regclass) as placed using (groupid)
     where groupid > 0 group by nodeid order by nodeid`,
  )
  return rows.map(({ shards }) => shards)
}

test('a merchant already on the node is not moved again', async () => {
  assert.ok(opened)
  const [shop, other] = opened.shops
  const steps: string[] = []
  await moveMerchant(opened.house.databaseUrl, shop.merchantId, other.node, (step) => steps.push(step))
  assert.deepEqual(steps, [])
})

test('Citus drains and refills a node under load without losing anything', async () => {
  assert.ok(opened)
  const { house, shops, cluster } = opened
  const [first] = cluster.nodes
  const balance = async (isUsed: boolean): Promise<void> => {
    await query(
      house.databaseUrl,
      `select citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', $2)`,
      [first?.port, isUsed],
    )
    await query(house.databaseUrl, `select citus_rebalance_start(shard_transfer_mode := 'block_writes')`)
    await query(house.databaseUrl, 'select citus_rebalance_wait()')
  }
  await whilePaid(shops, async () => {
    await balance(false)
    const emptied = await shardsOfNodes(house.databaseUrl)
    assert.equal(emptied[0], 0, emptied.join(' '))
    await balance(true)
  })
  const [least = 0, most = 0] = (await shardsOfNodes(house.databaseUrl)).toSorted((one, other) => one - other)
  assert.ok(least > 0 && most - least <= 1, `${least} and ${most}`)
  await nothingIsLost(shops)
})

test('an unknown node is refused', async () => {
  assert.ok(opened)
  const { merchantId } = opened.shops[0]
  const moved = moveMerchant(opened.house.databaseUrl, merchantId, 'nowhere:1', () => {})
  await assert.rejects(moved, /has no data node nowhere:1; it has /)
})
