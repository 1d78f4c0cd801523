import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { Database } from '../../src/database/database.ts'
import { createMerchant } from '../../src/merchants/create-merchant.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startServerProcess } from '../support/server-process.ts'
import { testSecretsKey } from '../support/secrets.ts'

// The tests' PostgreSQL runs with fsync off: just what live mode must not have.

const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))
let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

function florin(args: string[], settings: Record<string, string> = {}) {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: database.url,
    SECRETS_KEY: testSecretsKey,
    PORT: '0',
    ...settings,
  }
  return spawnSync(process.execPath, [program, ...args], { cwd: '/', env, encoding: 'utf8', timeout: 30_000 })
}

const oneLine =
  'This PostgreSQL may lose payments that were acknowledged: fsync is off. Switch it on before taking live payments.\n'

test('a merchant is not switched on for live payments on a database that may lose them', async () => {
  const db = new Database(database.url)
  const number = await createMerchant(db, { name: 'Corner shop' })
  await db.close()
  const refused = florin(['merchant', 'live', 'on', '--merchant', String(number), '--force'])
  assert.equal(refused.status, 69)
  assert.match(
    refused.stdout,
    /^missing {2}This PostgreSQL may lose payments that were acknowledged: fsync off\.$/m,
  )
})

test('test mode alone starts on any database', async () => {
  const server = await startServerProcess(database.url, { ALLOW_UNSAFE_DATABASE: 'off' })
  await server.stop()
})

test('the server and the worker refuse to start when some merchant is live', async () => {
  const db = new Database(database.url)
  await createMerchant(db, { name: 'Live shop', liveEnabled: true })
  await db.close()
  for (const command of ['serve', 'worker']) {
    const refused = florin([command])
    assert.deepEqual([refused.status, refused.stderr], [69, oneLine])
  }
})

test('synchronous_commit counts as it holds for our own connections', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const name = new URL(database.url).pathname.slice(1)
  await client.query(`alter database ${name} set synchronous_commit = off`)
  await client.end()
  assert.match(florin(['serve']).stderr, /: fsync and synchronous_commit are off\. Switch them on/)
})
