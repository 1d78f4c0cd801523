import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../../../../test/support/database.ts'
import { waitUntil } from '../../../../test/support/wait-until.ts'
import { Database } from '../database.ts'
import { listenPatiently } from '../../../../test/support/listen-patiently.ts'
import { listProcesses, processName, readName } from './processes.ts'

const startedAt = new Date('2026-11-15T10:00:00Z')

test('processes are listed by role, version and start, not by order of connection', async () => {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  const facts = { startedAt, version: '0.9.0' }
  const later = new Date(startedAt.getTime() + 60_000)
  const names = [
    processName({ ...facts, role: 'florin worker', port: 9466 }),
    processName({ ...facts, role: 'florin server', version: '0.10.0' }),
    processName({ ...facts, role: 'florin server', startedAt: later }),
    'florin server',
    processName({ ...facts, role: 'florin server', port: 9464 }),
    processName({ ...facts, role: 'florin server and worker' }),
    // Not processes of their own.
    'florin',
    'florin listen',
    'florin migrate',
  ]
  const clients = names.map((name) => new pg.Client({ connectionString: home.url, application_name: name }))
  try {
    for (const client of clients) await client.connect()
    const found = await listProcesses(db)
    const connected = found[0]?.since ?? ''
    assert.ok(Date.parse(connected) > startedAt.getTime(), 'of an old one it is known when it connected')
    const since = startedAt.toISOString()
    assert.deepEqual(found, [
      { role: 'florin server', version: null, since: connected, port: null },
      { role: 'florin server', version: '0.9.0', since, port: 9464 },
      { role: 'florin server', version: '0.9.0', since: later.toISOString(), port: null },
      { role: 'florin server', version: '0.10.0', since, port: null },
      { role: 'florin server and worker', version: '0.9.0', since, port: null },
      { role: 'florin worker', version: '0.9.0', since, port: 9466 },
    ])
  } finally {
    await Promise.all(clients.map(async (client) => client.end()))
    await db.close()
    await home.drop()
  }
})

test('a process that learns its port is renamed, and keeps the name after a reconnect', async () => {
  const home = await createTestDatabase()
  const db = new Database(home.url)
  const facts = { role: 'florin worker', version: '1.2.3', startedAt } as const
  const listener = listenPatiently(home.url, processName(facts))
  const ports = async (): Promise<unknown[]> => (await listProcesses(db)).map(({ port }) => port)
  try {
    // Before it is connected or after: the test does not say.
    await listener.rename(processName({ ...facts, port: 9470 }))
    await waitUntil('it is named', async () => (await ports())[0] === 9470)
    await listener.rename(processName({ ...facts, port: 9471 }))
    assert.deepEqual(await ports(), [9471])
    const client = new pg.Client({ connectionString: home.url })
    await client.connect()
    await client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'florin worker%'`)
    await client.end()
    await waitUntil('it is back', async () => (await ports())[0] === 9471)
  } finally {
    await listener.close()
    await db.close()
    await home.drop()
  }
})

test('the longest process name fits PostgreSQL’s limit', () => {
  const version = '100.200.300-alpha.4'
  const name = processName({ role: 'florin server and worker', version, startedAt, port: 65_535 })
  assert.ok(name.length <= 63)
  const since = startedAt.toISOString()
  assert.deepEqual(readName(name), {
    role: 'florin server and worker',
    version: version.slice(0, 18),
    since,
    port: 65_535,
  })
})
