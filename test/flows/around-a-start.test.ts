import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createEmptyDatabase } from '../support/empty-database.ts'
import { ordinary, runFlorin } from '../support/run-florin.ts'

// What the machine around it may have against a start.

const program = fileURLToPath(new URL('../../src/florin.ts', import.meta.url))
let home: TestDatabase

before(async () => {
  home = await createTestDatabase()
})
after(() => home.drop())

test('a role that may not create tables is told what to grant', async () => {
  const empty = await createEmptyDatabase()
  const owner = new pg.Client({ connectionString: empty.url })
  await owner.connect()
  await owner.query(`create role florin_guest login password 'guest'`)
  const guest = new URL(empty.url)
  Object.assign(guest, { username: 'florin_guest', password: 'guest' })
  const { code, err } = await runFlorin(['migrate'], { DATABASE_URL: guest.href })
  await owner.query('drop role florin_guest')
  await owner.end()
  await empty.drop()
  assert.equal(code, 69)
  assert.match(
    err,
    /^The database \S+ at \S+ can't be used: permission denied for schema public\. Grant the missing rights .+\n$/,
  )
})

test('a HOST this machine doesn’t have is named in the error', async () => {
  const hosts = {
    'nosuch.invalid': /^HOST nosuch\.invalid was not found\./,
    '192.0.2.1': /^HOST 192\.0\.2\.1 is not an/,
  }
  for (const [HOST, line] of Object.entries(hosts)) {
    const { code, err } = await runFlorin(['serve'], { DATABASE_URL: home.url, HOST, LOG_LEVEL: 'silent' })
    assert.equal(code, 69)
    assert.match(err, line)
  }
})

test('PORT=0 takes any port, and prints it', async () => {
  const settings = { DATABASE_URL: home.url, PORT: '0', LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: '/',
    env: { ...ordinary(), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let url: string | undefined
  for await (const line of createInterface(child.stdout)) {
    url = /^Florin is ready at (http:\/\/127\.0\.0\.1:[1-9]\d*)$/.exec(line)?.[1]
    if (url !== undefined) break
  }
  assert.match(await (await fetch(`${url}/docs`)).text(), new RegExp(`curl ${url}/api/`))
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  assert.deepEqual(await ended, [0, null])
})

test('a closed output pipe is no error', async () => {
  const child = spawn(process.execPath, [program, 'merchant', 'list', '--json'], {
    cwd: '/',
    env: { ...ordinary(), DATABASE_URL: home.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.destroy()
  const [[code], err] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  assert.deepEqual([code, err], [0, ''])
})
