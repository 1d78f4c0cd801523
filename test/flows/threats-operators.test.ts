import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { call, openHouse } from '../support/house.ts'
import { runFlorin } from '../support/run-florin.ts'
import { startServerProcess } from '../support/server-process.ts'

// The threat table, the row of what operators ask for: the public learns that Florin is ready or not, and nothing else.

let home: TestDatabase
before(async () => {
  home = await createTestDatabase()
})
after(() => home.drop())

test('a public port has no metrics, and its readiness gives no reasons', async () => {
  for (const settings of [{ BASE_URL: 'https://pay.example.com' }, { HOST: '0.0.0.0', BASE_URL: '' }]) {
    const house = await openHouse({ settings })
    try {
      assert.equal((await call(`${house.url}/metrics`)).status, 404)
      assert.equal((await call(`${house.url}/healthz`)).status, 200)
      const ready = await call(`${house.url}/readyz`)
      assert.deepEqual([ready.status, ready.json.data], [200, { ready: true }])

      await house.app.db.query(sql`alter table schema_migrations rename to elsewhere`)
      const not = await call(`${house.url}/readyz`)
      assert.deepEqual([not.status, not.json.code, not.json.message], [503, 'unavailable', 'Not ready'])
    } finally {
      await house.close()
    }
  }
})

test('METRICS_PORT has both, with reasons, and the customers’ port has neither', async () => {
  const house = await openHouse({ settings: { METRICS_PORT: String(await freePort()) } })
  try {
    const operators = await house.app.operatorServer?.listen({ host: '127.0.0.1', port: 0 })
    assert.equal((await call(`${house.url}/metrics`)).status, 404)
    await call(`${house.url}/healthz`)
    const { status, text } = await call(`${operators}/metrics`)
    assert.equal(status, 200)
    assert.match(text, /^florin_http_request_seconds_count\{[^}]*route="\/healthz"/m)
    assert.match(text, /^florin_version_info\{/m)
    assert.equal((await call(`${operators}/api/transactions`, { key: house.secretKey })).status, 404)

    await house.app.db.query(sql`alter table schema_migrations rename to elsewhere`)
    assert.match((await call(`${operators}/readyz`)).json.message, /schema does not match/)
    assert.equal((await call(`${house.url}/readyz`)).json.message, 'Not ready')
  } finally {
    await house.close()
  }
})

test('`status` asks METRICS_PORT why a server is not ready', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const settings = {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    METRICS_PORT: String(metricsPort),
  }
  const house = await openHouse({ settings })
  try {
    await house.app.operatorServer?.listen({ host: '127.0.0.1', port: metricsPort })
    await house.app.db.query(sql`alter table schema_migrations rename to elsewhere`)
    const { code, out } = await runFlorin(['status', '--only', 'server'], settings)
    assert.equal(code, 69)
    const why = 'Not ready: The database schema does not match this version; run florin migrate'
    assert.ok(out.endsWith(`\n\n${why} (asked ${settings.BASE_URL})\n`), out)
  } finally {
    await house.close()
  }
})

test('a server listens on both ports, `status` finds the second one, and a taken one is named', async () => {
  const port = String(await freePort())
  const metricsPort = String(await freePort())
  const settings = { HOST: '0.0.0.0', PORT: port, METRICS_PORT: metricsPort }
  const server = await startServerProcess(home.url, settings)
  try {
    assert.equal((await call(`${server.url}/metrics`)).status, 404)
    assert.equal((await call(`http://127.0.0.1:${metricsPort}/metrics`)).status, 200)
    const { out } = await runFlorin(['status', '--only', 'server'], settings)
    assert.match(out, /^Server {2,}http:\/\/127\.0\.0\.1:\d+, ready\nVersion {2,}florin \d/)
    const again = { DATABASE_URL: home.url, PORT: '0', METRICS_PORT: metricsPort, LOG_LEVEL: 'silent' }
    const second = await runFlorin(['serve'], { ...again, ALLOW_UNSAFE_DATABASE: 'on' })
    assert.equal(second.code, 69)
    assert.match(second.err, /^Port \d+ on 127\.0\.0\.1 is in use\. .* set METRICS_PORT to another port\.\n$/)
  } finally {
    await server.stop()
  }
})

test('HSTS covers our own host, not the merchant’s subdomains', async () => {
  const house = await openHouse({ settings: { BASE_URL: 'https://pay.example.com' } })
  try {
    const { headers } = await call(`${house.url}/healthz`)
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000')
  } finally {
    await house.close()
  }
})
