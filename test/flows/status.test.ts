import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { processName } from '../../src/platform/database/watch/processes.ts'
import { programVersion } from '../../src/platform/settings/version.ts'
import { addAccount } from '../../src/core/merchants/accounts/change-accounts.ts'
import type { Owner } from '../../src/core/merchants/accounts/stored-accounts.ts'
import { createTestDatabase } from '../support/database.ts'
import { failingDelivery } from '../support/failing-delivery.ts'
import { createEmptyDatabase } from '../support/empty-database.ts'
import { noteBackup } from '../../src/platform/database/watch/installation-times.ts'
import { freePort } from '../support/free-port.ts'
import { call, openHouse, type House } from '../support/house.ts'
import { openReceiver } from '../support/receiver.ts'
import { runFlorin, type Ended } from '../support/run-florin.ts'
import { signedIn } from '../support/visitor.ts'
import { testSecretsKey } from '../support/secrets.ts'
import { startServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// "Is it up?", asked from outside and from beside the database.

let house: House
let settings: Record<string, string>
before(async () => {
  const port = String(await freePort())
  const baseUrl = `http://127.0.0.1:${port}`
  house = await openHouse({
    // A merchant takes live payments there, and without a mail server that is a warning.
    settings: { PORT: port, BASE_URL: baseUrl, SMTP_URL: 'smtp://127.0.0.1:1' },
    world: { role: 'florin server and worker' },
  })
  settings = { BASE_URL: baseUrl, DATABASE_URL: house.databaseUrl }
  await noteBackup(house.db)
  await waitUntil('it is listed', () => house.app.listener.connected)
})
after(() => house.close())

/** For a regular expression. */
const running = programVersion().replaceAll(/[.+]/g, '\\$&')

const status = async (more: Record<string, string>, ...args: string[]): Promise<Ended> =>
  runFlorin(['status', ...args], { ...settings, ...more })

test('when all is well status says so, with what it checked', async () => {
  const { code, out, err } = await status({ FLORIN_KEY: house.secretKey })
  assert.deepEqual([code, err], [0, ''])
  const name = new URL(house.databaseUrl)
  const lines = [
    `^Server {6}${settings['BASE_URL']}, ready\n`,
    `Version {5}florin ${running}\n`,
    'Key {9}sk_test_…\\w{4} works\n',
    `Database {4}${name.pathname.slice(1)} at ${name.host}, reachable\n`,
    'PostgreSQL  \\d+\\S*.*, \\d+ MB\n',
    'Schema {6}up to date, \\d+ migrations\n',
    `Processes {3}server and worker ${running} for \\d+ (s|min)\n`,
    'Merchants {3}1\nNetworks {4}none, for live payments: florin connector add\nQueue {7}0 waiting; 0 paused\n$',
  ]
  assert.match(out, new RegExp(lines.join('')))
  const json = JSON.parse((await status({}, '--json')).out) as Record<string, Record<string, unknown>>
  assert.deepEqual(
    [json['ok'], json['server']?.['state'], json['database']?.['merchants']],
    [true, 'ready', 1],
  )
})

test('during an upgrade status, the operators’ /readyz and their Home name the versions that run', async () => {
  // An old server goes on while a new one has come.
  const hourAgo = new Date(Date.now() - 3_600_000)
  const facts = { role: 'florin server', version: '0.0.9', startedAt: hourAgo, port: 9465 } as const
  const old = new pg.Client({ connectionString: house.databaseUrl, application_name: processName(facts) })
  await old.connect()
  try {
    const { code, out } = await status({}, '--only', 'database')
    assert.equal(code, 0, 'an upgrade is no trouble')
    const newer = `server and worker ${running} for \\d+ (s|min)`
    const older = 'server 0\\.0\\.9 for \\d+ min, health and metrics on 9465'
    assert.match(out, new RegExp(`\nProcesses {3}${older}\n {12}${newer}\n`))
    assert.ok(out.endsWith(`\n\nSeveral versions are running: 0.0.9, ${programVersion()}.\n`), out)

    const { data } = (await call(`${house.url}/readyz`)).json as unknown as {
      data: {
        version: string
        processes: { role: string; version: string; seconds: number; port: number | null }[]
      }
    }
    assert.equal(data.version, programVersion())
    const [first, second] = data.processes
    assert.deepEqual([first?.role, first?.version, first?.port], ['server', '0.0.9', 9465])
    assert.ok((first?.seconds ?? 0) >= 3_600)
    assert.deepEqual([second?.role, second?.version], ['server and worker', programVersion()])

    const home = `/dashboard/${house.merchantId}/test`
    const sees = async (isOperator: boolean): Promise<string> =>
      (await (await signedIn(house, { role: 'owner', isOperator })).get(home)).text
    const named = `0.0.9, ${programVersion()}. To finish the upgrade`
    assert.ok((await sees(true)).includes(named))
    assert.ok(!(await sees(false)).includes(named), 'others can do nothing about it')
  } finally {
    await old.end()
  }
})

test('status and startup name the networks, sandbox or live, with their callbacks', async () => {
  const account = { credentials: {}, label: 'Corner shop', sandbox: false, callbacks: 'set_up' } as const
  const add = async (owner: Owner, connector: string, more = {}): Promise<unknown> =>
    addAccount(house.db, house.secrets, owner, { connector, ...account, ...more })
  await add('installation', 'stripe')
  await add(house.merchantId, 'stripe', { sandbox: true, callbacks: 'missing' })
  await add(house.merchantId, 'gocardless', { callbacks: 'unknown' })
  const line =
    "stripe live, callbacks set up; gocardless live, callbacks can't be seen from here; stripe sandbox, callbacks not set up"
  assert.ok((await status({}, '--only', 'database')).out.includes(`\nNetworks    ${line}\n`))
  const { database } = JSON.parse((await status({}, '--json')).out) as { database: { networks: string } }
  assert.equal(database.networks, line)
  const folder = mkdtempSync(join(tmpdir(), 'florin-start-'))
  const output = join(folder, 'output')
  const server = await startServerProcess(
    house.databaseUrl,
    { SECRETS_KEY: testSecretsKey },
    ['serve'],
    output,
  )
  await server.stop()
  assert.ok(readFileSync(output, 'utf8').includes(`Live payments go through: ${line}\n`))
  rmSync(folder, { recursive: true })
})

test('a failing receiver is reported by status and /readyz, and status still exits with 0', async (t) => {
  const failing = await openHouse({ settings: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  t.after(() => failing.close())
  await failing.db.queryAll(failingDelivery(failing.merchantId, 'https://urls.example/broken?token=hidden'))
  const line = `1 notification (test mode) of merchant ${failing.merchantId} to https://urls.example/broken failed: HTTP 500.`
  const ready = await call(`${failing.url}/readyz`)
  assert.ok((ready.json.data as { warnings: string[] }).warnings.includes(line), ready.text)
  const told = await status({ DATABASE_URL: failing.databaseUrl }, '--only', 'database')
  assert.ok(told.out.includes(line), told.out)
})

test('an unreachable server, one that isn’t Florin and a refused key are reported with exit code 69', async () => {
  const other = await openReceiver((_, response) => void response.end('<!doctype html>'))
  const { origin } = new URL(other.url)
  const asked: [Record<string, string>, RegExp][] = [
    [
      { BASE_URL: 'http://127.0.0.1:1' },
      /, no answer\n\nFlorin does not answer at http:\/\/127\.0\.0\.1:1\. /,
    ],
    [{ BASE_URL: origin }, /, not Florin\n\nThe server at \S+ is not Florin\./],
    [
      { FLORIN_KEY: 'sk_test_x' },
      /Key +sk_test_…\S* is refused[^]*\n\nFLORIN_KEY: Invalid secret key \(asked http/,
    ],
  ]
  for (const [more, text] of asked) {
    const { code, out } = await status(more, '--only', 'server')
    assert.equal(code, 69, out)
    assert.match(out, text)
    assert.doesNotMatch(out, /Database/)
  }
  await other.close()
})

test('servers without a worker are reported, since nothing is delivered', async () => {
  const own = await createTestDatabase()
  const server = await startServerProcess(own.url, {}, ['serve', '--no-worker'])
  const { code, out } = await status({ DATABASE_URL: own.url, BASE_URL: server.url })
  assert.equal(code, 69)
  assert.match(
    out,
    /, ready\n[^]*Processes +server \S+ for [^]*\n\nNo worker is running on this database, so nothing is delivered\./,
  )
  await server.stop()
  await own.drop()
})

test('an unavailable or outdated database is reported, and isn’t started', async () => {
  const empty = await createEmptyDatabase()
  const nowhere = mkdtempSync(join(tmpdir(), 'florin-status-'))
  const asked: [Record<string, string>, RegExp][] = [
    [
      { DATABASE_URL: 'postgres://florin:hunter2@127.0.0.1:1/florin' },
      /The database florin at 127\.0\.0\.1:1 can't be used: /,
    ],
    [{ DATABASE_URL: empty.url }, /Schema +\d+ migrations behind[^]*Run florin migrate first\./],
    [
      { DATABASE_URL: '', DATA_DIR: nowhere },
      /, not running\n\nNo PostgreSQL is running in \S+\. Start florin serve/,
    ],
  ]
  for (const [more, text] of asked) {
    const { code, out } = await status(more, '--only', 'database')
    assert.equal(code, 69, out)
    assert.match(out, text)
    assert.doesNotMatch(out, /hunter2|Server/)
  }
  await empty.drop()
  rmSync(nowhere, { recursive: true })
})
