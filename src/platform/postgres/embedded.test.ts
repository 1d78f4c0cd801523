import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { startOwner } from '../../../test/support/folder-owner.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import type { EmbeddedOptions, EmbeddedPostgres } from './embedded.ts'

const used = mkdtempSync(join(tmpdir(), 'florin-embedded-'))
after(() => rmSync(used, { recursive: true, force: true }))
await (await startEmbedded({ dataDir: used, settings: { fsync: 'off' } })).stop()

test('data survives a stop and a start, and the running database is found', async (t) => {
  const dataDir = temporaryFolder(t)
  assert.equal(await findRunning(dataDir), undefined)
  const progress: string[] = []
  const first = await startEmbedded({ dataDir, onProgress: (line) => progress.push(line) })
  assert.deepEqual(progress, ['Creating the database, once …'])
  assert.equal(await findRunning(dataDir, 'owner'), first.url)
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  assert.equal(await findRunning(dataDir), undefined)
  const second = await start(t, { dataDir, onProgress: (line) => progress.push(line) })
  assert.deepEqual(await ask(second.url, 'select answer from kept'), [{ answer: 42 }])
  assert.equal(progress.length, 1)
  assert.equal(statSync(join(dataDir, 'postgres.password')).mode & 0o777, 0o600)
})

test('Florin runs as a role that is no superuser, even in an older folder', async (t) => {
  const dataDir = usedFolder(t)
  const before = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
  await ask(before.url, 'drop owned by florin_app; drop role florin_app')
  await ask(
    before.url,
    'create schema aside; create table aside.old as select 1 as number; create table older (n serial)',
  )
  await before.stop()

  const { url, applicationUrl } = await start(t, { dataDir })
  assert.equal(new URL((await findRunning(dataDir)) ?? '').username, 'florin_app')
  await ask(url, 'create schema later; create table later.new (number int)')
  for (const statement of [
    'insert into aside.old values (2)',
    'insert into older default values',
    'insert into later.new values (3)',
    'update later.new set number = 4',
    'delete from aside.old',
  ]) {
    await ask(applicationUrl, statement)
  }
  const role =
    'select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as can from pg_roles'
  assert.deepEqual(await ask(applicationUrl, `${role} where rolname = current_user`), [{ can: false }])
  for (const statement of [
    'create table mine (a int)',
    'alter table later.new add more int',
    'drop table aside.old',
    'truncate later.new',
    'alter role florin_app superuser',
    'set role florin',
    "select pg_read_file('postgresql.conf')",
    "copy later.new to program 'cat'",
    'create extension pg_trgm',
  ]) {
    await assert.rejects(ask(applicationUrl, statement), { code: '42501' }, statement)
  }
})

test('the embedded PostgreSQL knows the case of every script, uses UTC and writes safely by default', async (t) => {
  const { url } = await start(t, { dataDir: usedFolder(t), settings: { max_connections: '17' } })
  const rows = await ask(
    url,
    `select lower('ÄЖÉ') as lower, 'Łódź' ilike 'łÓDŹ' as alike, current_setting('timezone') as zone,
      current_setting('fsync') || current_setting('synchronous_commit') as safety,
      current_setting('max_connections') as connections, current_setting('server_encoding') as encoding`,
  )
  assert.deepEqual(rows, [
    { lower: 'äжé', alike: true, zone: 'UTC', safety: 'onon', connections: '17', encoding: 'UTF8' },
  ])
})

test('the embedded PostgreSQL requires a password and listens only on this machine', async (t) => {
  const { url } = await start(t, { dataDir: usedFolder(t) })
  await assert.rejects(
    ask(url.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1'),
    /password authentication failed/,
  )
  assert.deepEqual(await ask(url, 'show listen_addresses'), [{ listen_addresses: '127.0.0.1' }])
})

test('the socket requires the password too, and a folder with a long name uses only TCP', async (t) => {
  const near = await start(t, { dataDir: usedFolder(t) })
  const way = 'select inet_server_addr() is null as is_socket'
  assert.deepEqual(await ask(near.socketUrl, way), [{ is_socket: true }])
  assert.deepEqual(await ask(near.url, way), [{ is_socket: false }])
  const wrong = near.socketUrl.replace(/:[0-9a-f]+@/, ':wrong@')
  await assert.rejects(ask(wrong, 'select 1'), /password authentication failed/)

  const dataDir = join(temporaryFolder(t), 'a'.repeat(90))
  copyUsed(dataDir)
  const far = await start(t, { dataDir })
  assert.equal(far.socketUrl, far.url)
  assert.deepEqual(await ask(far.socketUrl, way), [{ is_socket: false }])
})

test('killing a server stops its PostgreSQL, and the next start continues', async (t) => {
  const dataDir = usedFolder(t)
  const owner = await startOwner('database', dataDir)
  await ask(owner.firstLine, 'create table kept as select 1 as answer')
  const postmaster = postmasterOf(dataDir)
  owner.process.kill('SIGKILL')
  await once(owner.process, 'exit')
  // At once, while the old one may still be stopping.
  const { url } = await start(t, { dataDir })
  assert.equal(isAlive(postmaster), false)
  assert.deepEqual(await ask(url, 'select answer from kept'), [{ answer: 1 }])
})

test('a killed server leaves no PostgreSQL behind, even without a next start', async (t) => {
  const dataDir = usedFolder(t)
  const owner = await startOwner('database', dataDir)
  const postmaster = postmasterOf(dataDir)
  owner.process.kill('SIGKILL')
  await waitUntil('PostgreSQL has stopped', () => !isAlive(postmaster))
  await waitUntil('it stopped in order', () => !existsSync(join(dataDir, 'postgres', 'postmaster.pid')))
})

test('a killed PostgreSQL is restarted on the same port, with everything committed', async (t) => {
  const dataDir = usedFolder(t)
  const crashes: string[] = []
  const { url } = await start(t, { dataDir, onCrash: (line) => crashes.push(line) })
  await ask(url, 'create table kept as select 7 as answer')
  for (const round of [1, 2, 3]) {
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await waitUntil('it runs again', () => crashes.length === round * 2)
    assert.deepEqual(await ask(url, 'select answer from kept'), [{ answer: 7 }])
  }
  assert.match(crashes[0] ?? '', /^PostgreSQL stopped unexpectedly/)
  assert.match(crashes[1] ?? '', /^PostgreSQL is running again after \d+ ms$/)
})

test('a stop during PostgreSQL’s restart leaves none behind', async (t) => {
  const dataDir = usedFolder(t)
  const crashed = Promise.withResolvers<void>()
  const embedded = await startEmbedded({ dataDir, onCrash: () => crashed.resolve() })
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await crashed.promise
  await embedded.stop()
  assert.equal(await findRunning(dataDir), undefined)
})

test('a stale process file with a reused process id is no obstacle', async (t) => {
  const dataDir = usedFolder(t)
  const stranger = spawn('sleep', ['60'])
  t.after(() => stranger.kill('SIGKILL'))
  const lines = [stranger.pid, join(dataDir, 'postgres'), 1, 20_001, '', '127.0.0.1', '  1  1', 'ready   ']
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`)
  assert.equal(await findRunning(dataDir), undefined)
  const { url } = await start(t, { dataDir })
  assert.deepEqual(await ask(url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(stranger.exitCode, null)
})

test('a first start killed halfway leaves nothing that breaks the next one', async (t) => {
  const dataDir = temporaryFolder(t)
  mkdirSync(join(dataDir, 'postgres.new-1234'))
  writeFileSync(join(dataDir, 'postgres.new-1234', 'PG_VERSION'), '18\n')
  await start(t, { dataDir })
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-')),
    [],
  )
})

test('a cluster of another version is refused with both versions', async (t) => {
  const dataDir = usedFolder(t)
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  await assert.rejects(
    startEmbedded({ dataDir }),
    /was created by PostgreSQL 17, but this Florin has PostgreSQL 18\. .*florin backup FILE.*florin restore FILE/,
  )
})

test('a setting PostgreSQL refuses is reported in its words', async (t) => {
  const dataDir = usedFolder(t)
  await assert.rejects(
    startEmbedded({ dataDir, settings: { shared_buffers: 'plenty' } }),
    /PostgreSQL did not start: .*shared_buffers.*plenty/,
  )
})

const rootOnly = { skip: process.getuid?.() === 0 ? false : 'only root changes owners' }

test('root can use a data folder owned by another user', rootOnly, async (t) => {
  const dataDir = usedFolder(t)
  chownSync(dataDir, 65_534, 65_534)
  const { url } = await start(t, { dataDir })
  assert.deepEqual(await ask(url, 'select 1 as one'), [{ one: 1 }])
  assert.equal(statSync(dataDir).uid, statSync(join(dataDir, 'postgres')).uid)
})

// mkdtemp makes it with mode 700, so every test here runs below a folder that is closed to other users.
function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-embedded-'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  return dataDir
}

/** A folder that a server has run on before: a copy, since initdb takes a second each time. */
function usedFolder(t: TestContext): string {
  const dataDir = temporaryFolder(t)
  copyUsed(dataDir)
  return dataDir
}

// Node 24 opens the copies of closed folders to everyone, and PostgreSQL refuses those.
function copyUsed(dataDir: string): void {
  cpSync(used, dataDir, { recursive: true })
  chmodSync(join(dataDir, 'postgres'), 0o700)
}

async function start(t: TestContext, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded(options)
  t.after(() => embedded.stop())
  return embedded
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that ended and waits to be collected by process 1 has no command any more.
    return !existsSync('/proc/self/cmdline') || readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}
