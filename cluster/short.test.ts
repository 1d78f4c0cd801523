import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import pg from 'pg'
import { inspectCluster } from '../src/database/cluster/inspect-cluster.ts'
import { spreadTables } from '../src/database/cluster/placement.ts'
import { readSpread, spreadInOrder, tablesToSpread } from '../src/database/cluster/spread.ts'
import { migrate, readMigrations } from '../src/database/migrate.ts'
import type { Sql } from '../src/database/sql.ts'
import { newLink } from '../test/support/customer.ts'
import { call, type House } from '../test/support/house.ts'
import { countAttempts, declining, tryCard } from '../test/support/stranger.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { createClusterDatabase } from './databases.ts'
import { hearOfAll, openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'
import { explain, noteStatements, type Route } from './routing.ts'

// The part of `npm run cluster` that fits into `npm test`, where a PostgreSQL with Citus is installed.

let opened: ClusterHouse | undefined
before(async () => {
  opened = await openClusterHouse()
})
after(async () => opened?.close())

/** The cluster, or a note that there is none. */
function here(context: TestContext): ClusterHouse | undefined {
  if (!opened) context.diagnostic(`note: no PostgreSQL with Citus, so "${context.name}" ran nothing`)
  return opened
}

test('what was spread long ago is migrated on, and new tables are spread', async (context) => {
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

test('create, look up and pay are one task on one node each', async (context) => {
  const found = here(context)
  if (!found) return
  const { house, shops } = found
  const [shop] = shops
  const { noted, stop } = noteStatements()
  await Promise.all(Array.from({ length: 6 }, async () => shop.buy()))
  assert.equal(await shop.stateOf(shop.paid[0] ?? ''), 'success')
  stop()
  await eachIsOneTask(house, noted)
})

test('declined cards are counted in one task each, and whoever sent them has to wait', async (context) => {
  const found = here(context)
  if (!found) return
  const { house } = found
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
  await eachIsOneTask(house, noted)
})

async function eachIsOneTask(house: House, noted: Map<string, Sql>): Promise<void> {
  const routes = await explain(house.databaseUrl, noted.values())
  const ofWork = routes.filter(({ text }) => !isLook(text))
  assert.ok(ofWork.length > 5)
  const elsewhere = ofWork.filter(
    ({ text, tasks, isPulled }) => (tasks !== 1 || isPulled) && !isPulledOnPurpose(text),
  )
  assert.deepEqual(elsewhere.map(shownRoute), [])
}

test('with one node away the merchants of the other create, pay and are notified, and nothing is lost', async (context) => {
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
  await node?.start()
  await waitUntil('the merchant of the lost node goes on', async () => lost.buy())
  for (const shop of shops) {
    for (const txRef of shop.created) assert.notEqual(await shop.stateOf(txRef), '404', txRef)
    for (const txRef of shop.paid) assert.equal(await shop.stateOf(txRef), 'success', txRef)
    await hearOfAll(shop)
  }
})

/** Looks are asked of each node by itself, and what the worker does meanwhile is noted as well. */
function isLook(text: string): boolean {
  return !/merchant_id = \$|\bid = \$|values \(\$1|\$1::integer/.test(text)
}

/**
 * Rows of JSON that nothing of the merchant is joined with: Citus reads them on the coordinator and sends them on. A payment
 * that is created alone goes straight to its node.
 */
function isPulledOnPurpose(text: string): boolean {
  return /^with held as|insert into (test_network\.charges|deliveries|delivery_attempts|request_log|daily_totals) /.test(
    text,
  )
}

function shownRoute({ text, tasks, isPulled }: Route): string {
  return `${tasks} tasks${isPulled ? ', pulled' : ''}: ${text.slice(0, 120)}`
}
