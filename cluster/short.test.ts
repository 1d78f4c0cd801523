import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import pg from 'pg'
import { inspectCluster } from '../src/database/cluster/inspect-cluster.ts'
import { spreadTables } from '../src/database/cluster/placement.ts'
import { readSpread, spreadInOrder, tablesToSpread } from '../src/database/cluster/spread.ts'
import { migrate, readMigrations } from '../src/database/migrate.ts'
import { call } from '../test/support/house.ts'
import { waitUntil } from '../test/support/wait-until.ts'
import { createClusterDatabase } from './databases.ts'
import { hearOfAll, openClusterHouse, type ClusterHouse } from './open-cluster-house.ts'

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
