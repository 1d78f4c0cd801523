import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// A new version comes while customers pay: servers are replaced one after the other, each taken from the proxy first and put
// back when it is ready, as docs/deploying.md says. Nobody notices.

let database: TestDatabase
let house: House
const servers: ServerProcess[] = []

before(async () => {
  database = await createTestDatabase()
  house = await openHouse({ databaseUrl: database.url })
  for (let count = 0; count < 2; count += 1) servers.push(await start())
})
after(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await house.close()
  await database.drop()
})

async function start(): Promise<ServerProcess> {
  // The shops ask as fast as they can.
  const unlimited = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' }
  const settings = { ...unlimited, PORT: String(await freePort()) }
  return startServerProcess(database.url, settings, ['serve', '--no-worker'])
}

test('no request fails and no payment is lost while both servers are replaced', async () => {
  const upstreams = servers.map(({ url }) => url)
  const statuses: number[] = []
  const underWay = new Map<string, number>()
  const day = { isOver: false }
  async function shop(name: string): Promise<void> {
    for (let count = 0; !day.isOver; count += 1) {
      const url = upstreams[count % upstreams.length] ?? ''
      underWay.set(url, (underWay.get(url) ?? 0) + 1)
      const { status } = await post(
        `${url}/api/payment`,
        paymentRequest({ tx_ref: `${name}-${count}` }),
        house.secretKey,
      )
      underWay.set(url, (underWay.get(url) ?? 0) - 1)
      statuses.push(status)
    }
  }
  const shops = ['a', 'b', 'c', 'd'].map(shop)
  const enough = async (more: number): Promise<void> => {
    const goal = statuses.length + more
    while (statuses.length < goal) await new Promise((resolve) => setImmediate(resolve))
  }
  await enough(20)
  for (const [place, old] of [...servers].entries()) {
    upstreams.splice(upstreams.indexOf(old.url), 1)
    // As proxies do: what was sent to it is answered first.
    await waitUntil('its requests have ended', () => underWay.get(old.url) === 0)
    await old.stop()
    // Between two versions the schema has moved on; whoever runs already goes on.
    await house.db.query(sql`alter table payments add column if not exists of_a_later_version text`)
    await enough(20)
    const fresh = await start()
    servers[place] = fresh
    upstreams.push(fresh.url)
    await enough(20)
  }
  day.isOver = true
  await Promise.all(shops)
  assert.deepEqual(
    statuses.filter((status) => status !== 201),
    [],
  )
  const [row] = await house.db.query<{ count: number }>(
    sql`select count(*)::int as count from payments where merchant_id = ${house.merchantId}`,
  )
  assert.equal(row?.count, statuses.length)
})
