import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { applicationPassword } from '../../src/platform/postgres/embedded-cluster.ts'
import { ensureApplicationRole } from '../../src/platform/postgres/embedded.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, openHouse, post } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver } from '../support/receiver.ts'
import { runFlorin } from '../support/run-florin.ts'
import { startServerProcess } from '../support/server-process.ts'

// Florin on a role that may read and write rows and nothing else, as it has on the embedded PostgreSQL: a statement that
// somebody bent could not change a table, read a file or start a program.

let home: TestDatabase
let url: string
before(async () => {
  home = await createTestDatabase()
  const application = new URL(home.url)
  application.username = 'florin_app'
  application.password = applicationPassword(application.password)
  await ensureApplicationRole(home.url, application.password)
  url = application.href
})
after(() => home.drop())

test('a role that owns nothing can create, pay and announce payments, and create projects and keys', async () => {
  const house = await openHouse({ databaseUrl: url })
  const receiver = await openReceiver()
  const worker = house.app.startWorker()
  try {
    const payment = await createPayment(house, { callback_url: receiver.url })
    await happens(house, payment, 'paid')
    const [told] = await receiver.first(1)
    assert.match(told?.body ?? '', /"status":"success"/)
    const project = await post(`${house.url}/api/v1/projects`, { project: 'Garden' }, house.apiKey)
    assert.equal(project.status, 201)
    for (const job of house.app.jobs) await job.run()
  } finally {
    await worker.stop()
    await receiver.close()
    await house.close()
  }
})

test('a server starts as this role after the owner migrated, and its connections aren’t superuser', async () => {
  const server = await startServerProcess(url)
  const owner = new pg.Client({ connectionString: home.url })
  await owner.connect()
  try {
    assert.equal((await call(`${server.url}/readyz`)).status, 200)
    const roles = await owner.query(`
      select distinct usename, usesuper from pg_stat_activity join pg_user using (usename)
      where datname = current_database() and application_name like 'florin%'`)
    assert.deepEqual(roles.rows, [{ usename: 'florin_app', usesuper: false }])
  } finally {
    await owner.end()
    await server.stop()
  }
  assert.equal((await runFlorin(['migrate'], { DATABASE_URL: url })).out, 'The database is up to date\n')
})
