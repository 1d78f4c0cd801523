import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, openHouse, post } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { findPgBouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { openReceiver, answerWith } from '../support/receiver.ts'
import { runFlorin } from '../support/run-florin.ts'
import { startServerProcess } from '../support/server-process.ts'
import { cardOf } from '../support/till.ts'
import { waitUntil } from '../support/wait-until.ts'

// PgBouncer with pool_mode = transaction: with DATABASE_LISTEN_URL all works, and without it the start says what to set.

const program = findPgBouncer()
const skip = program === undefined ? 'PgBouncer is not installed' : false
let home: TestDatabase
let pooler: PgBouncer
before(async () => {
  home = await createTestDatabase()
  await alter(`set timezone = 'UTC'`)
  await alter(`set statement_timeout = '10s'`)
  if (program !== undefined) pooler = await startPgBouncer(program, home.url, 'transaction')
})
after(async () => {
  await pooler?.stop()
  await home.drop()
})

async function alter(what: string): Promise<void> {
  const client = new pg.Client({ connectionString: home.url })
  await client.connect()
  await client.query(`alter database ${new URL(home.url).pathname.slice(1)} ${what}`)
  await client.end()
}

test('payments, notifications and revoked keys work through a pooler', { skip }, async () => {
  const shop = await openReceiver(answerWith(200))
  const house = await openHouse({
    databaseUrl: pooler.url(home.url),
    settings: { DATABASE_URL: pooler.url(home.url), DATABASE_LISTEN_URL: home.url },
  })
  const worker = house.app.startWorker()
  try {
    // More at once than it has connections, so that each statement meets another process of PostgreSQL.
    const requests = Array.from({ length: 60 }, () => paymentRequest({ callback_url: shop.url }))
    const made = await Promise.all(
      requests.map(async (request) => post(`${house.url}/api/payment`, request, house.secretKey)),
    )
    assert.deepEqual([...new Set(made.map(({ status }) => status))], [201])
    await Promise.all(
      made.map(async ({ json }) => {
        const digits = (json.data as { checkout_url: string }).checkout_url.slice(-32)
        const payment = {
          merchantId: Number(digits.slice(0, 8)),
          number: digits.slice(8),
          mode: 'test',
        } as const
        await house.app.payer.pay(payment, cardOf('4242424242424242'))
      }),
    )
    await waitUntil('all are told', () => shop.received.length === 60)
    const listed = await call(`${house.url}/api/transactions?limit=100`, { key: house.secretKey })
    assert.equal((listed.json.data as unknown[]).length, 60)
    await waitUntil('the listener is there', () => house.app.listener.connected)
    assert.equal(await house.app.hearing.check(), true)
    assert.equal((await call(`${house.url}/readyz`)).status, 200)
  } finally {
    await worker.stop()
    await house.close()
    await shop.close()
  }
})

test(
  'a start without DATABASE_LISTEN_URL is refused with what to set; with it the server starts',
  { skip },
  async () => {
    const refused = await runFlorin(['serve'], { DATABASE_URL: pooler.url(home.url), PORT: '0' })
    assert.equal(refused.code, 69)
    assert.match(
      refused.err,
      /^DATABASE_URL points to a pooler in transaction mode, .* set DATABASE_LISTEN_URL to PostgreSQL itself/,
    )
    const twice = { DATABASE_URL: pooler.url(home.url), DATABASE_LISTEN_URL: pooler.url(home.url), PORT: '0' }
    assert.match((await runFlorin(['serve'], twice)).err, /^DATABASE_LISTEN_URL points to a pooler/)
    const server = await startServerProcess(pooler.url(home.url), { DATABASE_LISTEN_URL: home.url })
    try {
      assert.equal((await call(`${server.url}/readyz`)).status, 200)
    } finally {
      await server.stop()
    }
  },
)

test(
  'a role without the settings a pooler drops is refused with the statements to run',
  { skip },
  async () => {
    await alter(`set timezone = 'Asia/Tokyo'`)
    await alter('reset statement_timeout')
    const fresh = program === undefined ? undefined : await startPgBouncer(program, home.url, 'transaction')
    try {
      const settings = { DATABASE_URL: fresh?.url(home.url) ?? '', DATABASE_LISTEN_URL: home.url, PORT: '0' }
      const { code, err } = await runFlorin(['serve'], { ...settings, ALLOW_UNSAFE_DATABASE: 'on' })
      assert.equal(code, 69)
      assert.match(
        err,
        /alter role \S+ set timezone = 'UTC'; alter role \S+ set statement_timeout = '10s';\n$/,
      )
    } finally {
      await fresh?.stop()
      await alter(`set timezone = 'UTC'`)
    }
  },
)

test('a pooler in session mode needs DATABASE_LISTEN_URL too, and the start says so', { skip }, async () => {
  const session = program === undefined ? undefined : await startPgBouncer(program, home.url, 'session')
  try {
    const { code, err } = await runFlorin(['worker'], { DATABASE_URL: session?.url(home.url) ?? '' })
    assert.equal(code, 69)
    assert.match(err, /It is behind a pooler: set DATABASE_LISTEN_URL to PostgreSQL itself\.\n$/)
  } finally {
    await session?.stop()
  }
})
