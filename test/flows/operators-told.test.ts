import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { makeApp } from '../../src/app/app.ts'
import { Database } from '../../src/platform/database/database.ts'
import { listProcesses } from '../../src/platform/database/watch/processes.ts'
import type { DatabaseFacts } from '../../src/platform/database/inspect.ts'
import { clockAheadMs } from '../../src/platform/database/watch/clock.ts'
import { makeLog } from '../../src/platform/http/log.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { call, openHouse, testConfig } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { runFlorin } from '../support/run-florin.ts'
import { testKeyRing } from '../support/secrets.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// What whoever runs Florin learns without asking for it: that writes fail, that receivers don't answer, that a worker lives.

test('a server whose database can read but not write isn’t ready, and tells operators why', async (t) => {
  for (const [setting, message] of [
    // As on a full disk: the file can't grow.
    [`temp_file_limit = '100kB'`, /^The database can't write: temporary file size exceeds/],
    ['default_transaction_read_only = on', /^The database can't write: it is read-only, or a standby$/],
  ] as const) {
    const home = await createTestDatabase()
    t.after(() => home.drop())
    const client = new pg.Client({ connectionString: home.url })
    await client.connect()
    await client.query(
      `alter database ${pg.escapeIdentifier(new URL(home.url).pathname.slice(1))} set ${setting}`,
    )
    await client.end()
    const app = makeApp(testConfig(), home.url, testKeyRing(), makeLog('silent'))
    try {
      const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
      const ready = await call(`${url}/readyz`)
      assert.equal(ready.status, 503, setting)
      assert.match(ready.json.message, message)
      assert.equal((await call(`${url}/healthz`)).status, 200)
    } finally {
      await app.close()
    }
  }
})

test('failing notifications are logged once, with the real cause', async () => {
  const house = await openHouse()
  const worker = house.app.startWorker()
  try {
    const callback_url = `http://127.0.0.1:${await freePort()}/ipn`
    for (let count = 0; count < 3; count += 1)
      await happens(house, await createPayment(house, { callback_url }), 'paid')
    await waitUntil('all were tried', async () => {
      const { text } = await call(`${house.url}/metrics`)
      return /^florin_delivery_tries_total\{kind="ipn",outcome="failed"\} 3$/m.test(text)
    })
    const told = house.log().match(/.*Could not deliver a notification.*/g) ?? []
    assert.equal(told.length, 1)
    const { origin, reason, cause } = JSON.parse(told[0] ?? '') as Record<string, string>
    assert.deepEqual([origin, reason], [callback_url, 'connection_failed'])
    assert.match(cause ?? '', /^connect ECONNREFUSED 127\.0\.0\.1:\d+$/)
  } finally {
    await worker.stop()
    await house.close()
  }
})

// Four processes at once: on a busy machine their starts take long.
const busyMs = 300_000

test(
  'three workers started at once with the same settings each get a port that status shows',
  { timeout: busyMs },
  async () => {
    const home = await createTestDatabase()
    const db = new Database(home.url, { poolSize: 1 })
    const settings = { METRICS_PORT: String(await freePort()) }
    const starting = Array.from({ length: 3 }, async () => startServerProcess(home.url, settings, ['worker']))
    try {
      await Promise.all(starting)
      const isListed = async (): Promise<boolean> => {
        const listed = await listProcesses(db)
        return listed.filter((one) => one.port !== null).length === 3
      }
      await waitUntil('all three are listed', isListed)
      const { out } = await runFlorin(['status', '--only', 'database', '--json'], { DATABASE_URL: home.url })
      const { database } = JSON.parse(out) as { database: { facts: DatabaseFacts } }
      const ports = database.facts.processes.map((one) => one.port ?? 0)
      assert.deepEqual([ports.length, new Set(ports).size], [3, 3], String(ports))
      for (const own of ports) assert.equal((await call(`http://127.0.0.1:${own}/readyz`)).status, 200)
    } finally {
      for (const started of await Promise.allSettled(starting))
        if (started.status === 'fulfilled') await started.value.stop()
      await db.close()
      await home.drop()
    }
  },
)

test('a worker or server that finds METRICS_PORT taken by the other moves on, and says so', async () => {
  const home = await createTestDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'florin-metrics-port-'))
  const running: ServerProcess[] = []
  const port = await freePort()
  const start = async (METRICS_PORT: number, ...args: string[]): Promise<string> => {
    const file = join(folder, `${args[0]}-${METRICS_PORT}`)
    running.push(await startServerProcess(home.url, { METRICS_PORT: String(METRICS_PORT) }, args, file))
    return readFileSync(file, 'utf8')
  }
  const moved = /^METRICS_PORT (\d+) is in use: this process serves health and metrics on (\d+)$/m
  try {
    assert.doesNotMatch(await start(port, 'serve', '--no-worker'), moved)
    const told = await start(port, 'worker')
    const own = Number(moved.exec(told)?.[2])
    assert.ok(own > port, told)
    const operators = `http://127.0.0.1:${own}`
    assert.equal((await call(`${operators}/healthz`)).status, 200)
    assert.equal((await call(`${operators}/readyz`)).status, 200)
    assert.match((await call(`${operators}/metrics`)).text, /^florin_deliveries_waiting 0$/m)
    assert.equal((await call(`${operators}/api/transactions`)).status, 404)

    assert.equal(moved.exec(await start(own, 'serve', '--no-worker'))?.[1], String(own))
  } finally {
    for (const one of running) await one.stop()
    await home.drop()
    rmSync(folder, { recursive: true })
  }
})

test('a clock far from the database’s is warned about, ahead and behind', async () => {
  const house = await openHouse()
  try {
    for (const aheadMs of [120_000, -120_000]) {
      const found = await clockAheadMs(house.db, () => Date.now() + aheadMs)
      assert.ok(Math.abs(found - aheadMs) < 60_000, String(found))
    }
    assert.ok(Math.abs(await clockAheadMs(house.db)) < 30_000)
  } finally {
    await house.close()
  }
})

test('live payments over plain http on a reachable machine are warned about', async () => {
  const house = await openHouse({
    settings: { BASE_URL: 'http://pay.example.com', SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  try {
    assert.deepEqual(await house.app.readWarnings(), [
      'Live payments use plain http: BASE_URL is http://pay.example.com. Put Florin behind a proxy with TLS.',
      'No backup yet: run florin backup, or florin backup --noted after a backup with another tool.',
    ])
    assert.deepEqual(
      (await call(`${house.url}/readyz`)).json.data,
      { ready: true },
      'the public learns nothing',
    )
  } finally {
    await house.close()
  }
})
