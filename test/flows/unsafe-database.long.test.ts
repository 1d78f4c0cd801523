import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { Database } from '../../src/platform/database/database.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { startServerProcess } from '../support/server-process.ts'

// The tests' PostgreSQL runs with fsync off: just what live mode must not have.

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

const florin = async (...args: string[]): Promise<Ended> =>
  runFlorin(args, { DATABASE_URL: database.url, PORT: '0' })

const oneLine =
  'This PostgreSQL may lose acknowledged payments: fsync is off. Switch it on before taking live payments.\n'

test('a merchant can’t go live on a database that may lose payments', async () => {
  const db = new Database(database.url)
  const number = await createMerchant(db, { name: 'Corner shop' })
  await db.close()
  const refused = await florin('merchant', 'live', 'on', '--merchant', String(number), '--force')
  assert.equal(refused.code, 69)
  assert.match(refused.out, /^missing {2}This PostgreSQL may lose acknowledged payments: fsync off\.$/m)
})

test('test mode starts on any database', async () => {
  const server = await startServerProcess(database.url, { ALLOW_UNSAFE_DATABASE: 'off' })
  await server.stop()
})

test('the server and the worker refuse to start when a merchant is live', async () => {
  const db = new Database(database.url)
  await createMerchant(db, { name: 'Live shop', liveEnabled: true })
  await db.close()
  for (const command of ['serve', 'worker']) {
    const { code, err } = await florin(command)
    assert.deepEqual([code, err], [69, oneLine])
  }
})

test('synchronous_commit is checked as set for our own connections', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const name = new URL(database.url).pathname.slice(1)
  await client.query(`alter database ${name} set synchronous_commit = off`)
  await client.end()
  assert.match((await florin('serve')).err, /: fsync and synchronous_commit are off\. Switch them on/)
})
