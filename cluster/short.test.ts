import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import pg from 'pg'
import { inspectCluster } from '../src/platform/database/spread/inspect-cluster.ts'
import { Database } from '../src/platform/database/database.ts'
import { hasMoved, openShards } from '../src/platform/database/spread/home-shards.ts'
import { spreadTables } from '../src/platform/database/spread/placement.ts'
import {
  notTheCoordinator,
  readSpread,
  spreadInOrder,
  tablesToSpread,
} from '../src/platform/database/spread/spread.ts'
import { migrate, readMigrations } from '../src/platform/database/migrate.ts'
import { createKey } from '../src/core/merchants/change-keys.ts'
import { createMerchant } from '../src/core/merchants/create-merchant.ts'
import { newLink } from '../test/support/customer.ts'
import { call, post, type House } from '../test/support/house.ts'
import { sql } from '../src/platform/database/sql.ts'
import { startStripe, type StripeStandIn } from '../test/support/networks/stripe.ts'
import { runFlorin } from '../test/support/run-florin.ts'
import { countAttempts, declining, tryCard } from '../test/support/stranger.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { paymentRequest } from '../test/support/payment-request.ts'
import { createClusterDatabase } from './databases.ts'
import { holdShard, shardOf } from './hold-shard.ts'
import { walkHotPaths } from './hot-paths.ts'
import { goesStraight, hearOfAll, openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'
import { missingInShards } from './missing-in-shards.ts'
import { query } from './query.ts'
import { explain, isOfOneMerchant, isOneTask, noteStatements, shownRoute, type Route } from './routing.ts'
import { shardNumber, type Shop } from './shop.ts'

// The part of `npm run cluster` that fits into `npm test`, where a PostgreSQL with Citus is installed.

let stripe: StripeStandIn
let opened: ClusterHouse | undefined
before(async () => {
  stripe = await startStripe()
  opened = await openClusterHouse({ STRIPE_URL: stripe.url })
})
after(async () => {
  await opened?.close()
  await stripe.close()
})

/** The cluster, or a note that there is none. */
function here(context: TestContext): ClusterHouse | undefined {
  if (!opened) context.diagnostic(`note: no PostgreSQL with Citus, so "${context.name}" ran nothing`)
  return opened
}

test('a database distributed long ago is migrated, and new tables are distributed', async (context) => {
  const found = here(context)
  if (!found) return
  const all = readMigrations()
  const url = await createClusterDatabase(found.cluster, 'grown')
  await migrate(url, all.slice(0, firstOfSpread - 1))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await spreadInOrder(client, await tablesToSpread(client, await readSpread(client)))
  await client.query('commit')
  await migrate(url, all)
  assert.deepEqual((await readSpread(client)).tables.toSorted(), spreadTables.toSorted())
  await client.end()
})
/** Migrations from this one on are written for spread tables (test/support/migration-rule.ts). */
const firstOfSpread = 14

test('every everyday statement is one task on one node', async (context) => {
  const found = here(context)
  if (!found) return
  const { house } = found
  const { noted, stop } = noteStatements()
  await walkHotPaths(house, stripe)
  // Some of it is done in the background.
  await waitUntil(`something is written to each of ${written.join(', ')}`, () =>
    written.every((table) => [...noted.keys()].some((text) => text.includes(`insert into ${table} `))),
  )
  stop()
  const routes = await routesOf(house.databaseUrl, noted)
  const shows = process.env['FLORIN_SHOW_ROUTES'] === 'on'
  for (const route of shows ? routes : []) context.diagnostic(`note: ${shownRoute(route)}`)
  assert.deepEqual(routes.filter((route) => !isOneTask(route)).map(shownRoute), [])
})

/** What the walk has to write to, so that it can't become shorter than it says. */
const written = [
  'payments',
  'attempts',
  'payment_history',
  'daily_total_changes',
  'daily_totals',
  'decline_levels',
  'deliveries',
  'delivery_attempts',
  'receivers',
  'refunds',
  'refund_history',
  'request_log',
  'callback_events',
  'test_network.charges',
]

test('declined cards are counted in one task each, and their sender has to wait', async (context) => {
  const found = here(context)
  if (!found) return
  const merchantId = await createMerchant(found.house.db, { name: 'Corner shop' })
  const { key } = await createKey(found.house.db, merchantId, { kind: 'secret', mode: 'test', name: 'test' })
  const house = { ...found.house, merchantId, secretKey: key }
  const { noted, stop } = noteStatements()
  const first = await newLink(house)
  for (let count = 0; count < 5; count += 1) {
    const { status } = await tryCard(house, first, { number: declining[count % 4] ?? '' })
    assert.equal(status, 303)
  }
  stop()
  const refused = await tryCard(house, await newLink(house))
  assert.equal(refused.status, 429)
  assert.equal(await countAttempts(house), 5)
  const routes = await routesOf(house.databaseUrl, noted)
  assert.deepEqual(routes.filter((route) => !isOneTask(route)).map(shownRoute), [])
})

async function routesOf(url: string, noted: ReturnType<typeof noteStatements>['noted']): Promise<Route[]> {
  return (await explain(url, noted.values())).filter(isOfOneMerchant)
}

/** Whoever lists merchants, or looks for their own, is told that some can't be read. */
async function saysWhatIsMissing(house: House, { node }: Shop): Promise<void> {
  const settings = { DATABASE_URL: house.databaseUrl, BASE_URL: house.url }
  const [listed, status] = [
    await runFlorin(['merchant', 'list'], settings),
    await runFlorin(['status'], settings),
  ]
  assert.match(
    listed.err,
    new RegExp(`^Cluster node ${RegExp.escape(node)} can't be reached .* 2 of 4 shards`),
  )
  assert.equal(listed.code, 0)
  assert.match(status.out, /^Merchants +\d+, and those in 2 of 4 shards, which can't be read$/m)
  assert.equal(status.code, 69)
}

test('while writes to one shard wait, merchants of all other shards create, look up and cancel', async (context) => {
  const found = here(context)
  if (!found) return
  const { cluster, house } = found
  const callers = await openCallers(house)
  const held = callers[0]?.shard ?? ''
  const [stuck, others] = [
    callers.filter(({ shard }) => shard === held),
    callers.filter(({ shard }) => shard !== held),
  ]
  assert.ok(others.length > 0)
  const shard = await holdShard(cluster, new URL(house.databaseUrl).pathname.slice(1), held)
  const writes = Array.from({ length: 2 * connections }, async (_, count) => {
    const id = stuck[count % stuck.length]?.id ?? 0
    return house.db.query(sql`update merchants set name = ${`Caller ${count}`} where id = ${id}`)
  })
  let ended = 0
  const allEnded = Promise.allSettled(writes.map(async (write) => write.finally(() => (ended += 1))))
  try {
    await waitUntil('every write waits, for the shard or for a connection', () => {
      const { busy, waiting } = house.db.load()
      return busy + waiting >= writes.length
    })
    await Promise.all(others.map(async (caller) => visit(house, caller)))
    assert.equal(ended, 0, 'no write gave up its connection')
  } finally {
    await shard.end()
    await allEnded
  }
})

const connections = 20

type Caller = { readonly id: number; readonly key: string; readonly shard: string }

async function openCallers({ db, databaseUrl }: House): Promise<Caller[]> {
  const callers: Caller[] = []
  for (let count = 0; count < 20; count += 1) {
    const id = await createMerchant(db, { name: `Caller ${count}` })
    const { key } = await createKey(db, id, { kind: 'secret', mode: 'test', name: 'calls' })
    callers.push({ id, key, shard: await shardOf(databaseUrl, id) })
  }
  return callers
}

async function visit({ url }: House, { key }: Caller): Promise<void> {
  const request = paymentRequest()
  const path = `${url}/api/transaction/${String(request['tx_ref'])}`
  const statuses = [
    (await post(`${url}/api/payment`, request, key)).status,
    (await call(path, { key })).status,
    (await call(`${path}/cancel`, { method: 'POST', key })).status,
  ]
  assert.deepEqual(statuses, [201, 200, 200])
}

test('a worker and a command on a node are refused as a server is', async (context) => {
  const found = here(context)
  if (!found) return
  const { cluster, house } = found
  const [node] = cluster.nodes
  const settings = { DATABASE_URL: node?.url(new URL(house.databaseUrl).pathname.slice(1)) ?? '' }
  for (const args of [['serve'], ['worker'], ['merchant', 'list']]) {
    const { code, err } = await runFlorin(args, settings)
    assert.equal(code, 69, args.join(' '))
    assert.ok(err.startsWith(notTheCoordinator().message), err)
  }
})

test('a merchant’s payments need its node alone, and nothing of Citus', async (context) => {
  const found = here(context)
  if (!found) return
  for (const shop of found.shops) await goesStraight(found, shop)
  const client = new pg.Client({ connectionString: found.house.databaseUrl })
  await client.connect()
  await client.query('begin')
  // On the coordinator and on every node, but not their shards. What Citus would have to plan waits for this lock.
  await client.query(`lock table ${tablesOfPaying} in access exclusive mode`)
  for (const shop of found.shops) {
    assert.ok(await shop.buy())
    assert.equal(await shop.stateOf(shop.paid.at(-1) ?? ''), 'success')
  }
  await client.query('rollback')
  await client.end()
})
const tablesOfPaying =
  'payments, attempts, payment_history, daily_total_changes, deliveries, test_network.charges'

test('a node refuses statements about a shard that is elsewhere', async (context) => {
  const found = here(context)
  if (!found) return
  const { cluster, house, shops } = found
  const name = new URL(house.databaseUrl).pathname.slice(1)
  for (const { node, merchantId } of shops) {
    const shard = await shardNumber(house.databaseUrl, 'merchants', merchantId)
    for (const each of cluster.nodes) {
      const db = new Database(each.url(name), { poolSize: 1 })
      for (const mayWrite of [true, false]) {
        const opening = openShards({ shard, node, names: new Map(), texts: new Map() }, mayWrite)
        const refused = await db.queryAll(opening).then(
          () => false,
          (error: unknown) => hasMoved(error),
        )
        assert.equal(refused, !node.endsWith(`:${each.port}`))
      }
      await db.close()
    }
  }
})

test('a shard has every default, constraint, index and trigger of its table', async (context) => {
  const found = here(context)
  if (!found) return
  const name = new URL(found.house.databaseUrl).pathname.slice(1)
  const url = found.cluster.nodes[0]?.url(name) ?? ''
  const missing = await query<{ missing: string }>(url, missingInShards)
  // Florin numbers the history of a payment by itself.
  assert.deepEqual(
    missing.map((row) => row.missing),
    ['payment_history.id'],
  )
})

test('with one node down the other’s merchants create, pay and are notified, and nothing is lost', async (context) => {
  const found = here(context)
  if (!found) return
  const { cluster, house, shops } = found
  const [lost, other] = shops
  const node = cluster.nodes.find(({ port }) => lost.node.endsWith(`:${port}`))
  for (const shop of shops) assert.ok(await shop.buy())
  await node?.kill()
  assert.equal(await lost.buy(), false)
  for (let count = 0; count < 5; count += 1) assert.ok(await other.buy())
  await hearOfAll(other)
  const away = (await inspectCluster(house.db))?.nodes.find(({ answers }) => !answers)
  assert.equal(away?.node, lost.node)
  const ready = await call(`${house.url}/readyz`)
  assert.equal(ready.status, 200)
  const { nodes } = (ready.json.data as { cluster: { nodes: { node: string; answers: boolean }[] } }).cluster
  assert.deepEqual(
    nodes.filter(({ answers }) => !answers).map((each) => each.node),
    [lost.node],
  )
  await saysWhatIsMissing(house, lost)
  await node?.start()
  await waitUntil('the merchant of the lost node goes on', async () => lost.buy())
  for (const shop of shops) {
    for (const txRef of shop.created) assert.notEqual(await shop.stateOf(txRef), '404', txRef)
    for (const txRef of shop.paid) assert.equal(await shop.stateOf(txRef), 'success', txRef)
    await hearOfAll(shop)
  }
})
