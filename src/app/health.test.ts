import { programVersion } from '../platform/settings/version.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../test/support/database.ts'
import { call, testConfig, type Answer } from '../../test/support/house.ts'
import { testKeyRing } from '../../test/support/secrets.ts'
import { makeApp } from './app.ts'
import { makeLog } from '../platform/http/log.ts'

test('a stopping server is alive but not ready, so that the proxy sends customers elsewhere', async (t) => {
  const home = await createTestDatabase()
  t.after(() => home.drop())
  const app = makeApp(testConfig(), home.url, testKeyRing(), makeLog('silent'))
  let url = ''
  const whileStopping: Answer[] = []
  // The last moment in which it still takes requests.
  app.server.addHook('preClose', async () => {
    for (const path of ['readyz', 'healthz']) whileStopping.push(await call(`${url}/${path}`))
  })
  try {
    url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const before = await call(`${url}/readyz`)
    assert.deepEqual(
      [before.status, before.json.data],
      [200, { ready: true, version: programVersion(), processes: [] }],
    )
  } finally {
    await app.close()
  }
  const [ready, alive] = whileStopping
  assert.deepEqual([ready?.status, ready?.json.code], [503, 'unavailable'])
  assert.equal(ready?.json.message, 'Florin is shutting down')
  assert.equal(ready?.headers.get('retry-after'), '2')
  assert.equal(alive?.status, 200)
})

/** Lines of the log about being ready, whoever wrote them. */
function told(lines: readonly string[]): string[] {
  return lines
    .map((line) => JSON.parse(line) as { msg?: string; reason?: string })
    .filter(({ msg = '' }) => /ready|schema/i.test(msg))
    .map(({ msg = '', reason }) => (reason === undefined ? msg : `${msg}: ${reason}`))
}

const wrongSchema =
  'This process is not ready: The database schema does not match this version; run florin migrate'
const readOnly = "This process is not ready: The database can't write: it is read-only, or a standby"

test('the reason a server isn’t ready is logged once, and again when it changes', async (t) => {
  const home = await createTestDatabase()
  t.after(() => home.drop())
  const client = new pg.Client({ connectionString: home.url })
  await client.connect()
  const own = pg.escapeIdentifier(new URL(home.url).pathname.slice(1))
  await client.query(`alter database ${own} set default_transaction_read_only = on`)
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const settings = { BASE_URL: 'https://pay.example.com' }
  const app = makeApp(testConfig(settings), home.url, testKeyRing(), log)
  try {
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const ask = async (): Promise<void> => {
      for (let times = 0; times < 3; times += 1) assert.equal((await call(`${url}/readyz`)).status, 503)
    }
    await ask()
    assert.deepEqual(told(lines), [readOnly])
    await client.query('alter table schema_migrations rename to elsewhere')
    await ask()
    await client.query('alter table elsewhere rename to schema_migrations')
    await ask()
    assert.deepEqual(told(lines), [readOnly, wrongSchema, readOnly])
  } finally {
    await client.end()
    await app.close()
  }
})

test('a server that is ready again logs it once', async (t) => {
  const home = await createTestDatabase()
  t.after(() => home.drop())
  const client = new pg.Client({ connectionString: home.url })
  await client.connect()
  const lines: string[] = []
  const log = makeLog('info', { write: (line: string) => void lines.push(line) })
  const app = makeApp(testConfig(), home.url, testKeyRing(), log)
  try {
    const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const statuses: number[] = []
    const ask = async (): Promise<void> => {
      for (let times = 0; times < 2; times += 1) statuses.push((await call(`${url}/readyz`)).status)
    }
    await ask()
    await client.query('alter table schema_migrations rename to elsewhere')
    await ask()
    await client.query('alter table elsewhere rename to schema_migrations')
    await ask()
    assert.deepEqual(statuses, [200, 200, 503, 503, 200, 200])
    assert.deepEqual(told(lines), [wrongSchema, 'This process is ready again'])
  } finally {
    await client.end()
    await app.close()
  }
})
