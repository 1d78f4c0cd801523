import assert from 'node:assert/strict'
import { after, before, test, type TestContext } from 'node:test'
import { inTransaction } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { DatabaseUnavailable } from '../../src/platform/errors/database-unavailable.ts'
import { call, openHouse, post, type Answer, type House } from '../support/house.ts'
import { paymentRequest } from '../support/payment-request.ts'
import { startStoppablePostgres, type StoppablePostgres } from '../support/stoppable-postgres.ts'
import { waitUntil } from '../support/wait-until.ts'

let postgres: StoppablePostgres
let house: House

before(async () => {
  postgres = await startStoppablePostgres()
  await migrate(postgres.url)
  house = await openHouse({
    databaseUrl: postgres.url,
    settings: { RATE_LIMIT_BURST: '100000', RATE_LIMIT_PER_SECOND: '100000' },
  })
})

after(async () => {
  await house.close()
  await postgres.remove()
})

const pay = async (txRef?: string): Promise<Answer> =>
  post(
    `${house.url}/api/payment`,
    paymentRequest(txRef === undefined ? {} : { tx_ref: txRef }),
    house.secretKey,
  )

/** It is back when the test has ended, however that went: else the next ones would wait for it in vain. */
async function stopPostgres(t: TestContext): Promise<void> {
  t.after(async () => {
    await postgres.start()
    await waitUntil('it listens again', () => house.app.listener.connected)
  })
  await postgres.stop()
}

test('while PostgreSQL is down requests answer 503 with Retry-After, and work again once it is back', async (t) => {
  assert.equal((await pay()).status, 201)
  assert.equal((await call(`${house.url}/readyz`)).status, 200)

  await stopPostgres(t)
  const away = 'Florin is busy or its database is unavailable'
  const requests = [
    [await pay(), `${away}; nothing was done, try again shortly`],
    [
      await call(`${house.url}/api/transaction/order-1`, { key: house.secretKey }),
      `${away}; try again shortly`,
    ],
  ] as const
  for (const [answer, message] of requests) {
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '2')
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.json.code, 'unavailable')
    assert.equal(answer.json.message, message)
  }
  const ready = await call(`${house.url}/readyz`)
  assert.deepEqual([ready.status, ready.headers.get('retry-after')], [503, '2'])
  assert.match(ready.json.message, /^The database is unavailable or overloaded: /)
  assert.equal((await call(`${house.url}/healthz`)).status, 200, 'the process itself is well')

  await postgres.start()
  assert.equal((await pay()).status, 201)
  assert.equal((await call(`${house.url}/readyz`)).status, 200)
  await waitUntil('it listens again', () => house.app.listener.connected)
})

test('a transaction cut off by a database stop fails alone; the process and the pool continue', async (t) => {
  let started = (): void => {}
  const running = new Promise<void>((resolve) => (started = resolve))
  const cutOff = inTransaction(house.db, async (tx) => {
    await tx.query(sql`select 1`)
    started()
    await tx.query(sql`select pg_sleep(60)`)
  })
  const refused = assert.rejects(
    cutOff,
    (error) => error instanceof DatabaseUnavailable && !error.outcomeUnknown,
  )
  await running
  await stopPostgres(t)
  await refused
  await postgres.start()
  assert.equal((await pay()).status, 201)
})

test('under load a restart costs only 503s: everything confirmed is stored, and nothing answers 500', async (t) => {
  const answers: { txRef: string; status: number }[] = []
  const enough = new AbortController()
  const client = async (name: number): Promise<void> => {
    for (let count = 0; !enough.signal.aborted; count += 1) {
      const txRef = `restart-${name}-${count}`
      answers.push({ txRef, status: (await pay(txRef)).status })
    }
  }
  const paid = (): number => answers.filter((answer) => answer.status === 201).length
  const clients = [1, 2, 3, 4].map(client)
  t.after(async () => {
    enough.abort()
    await Promise.allSettled(clients)
  })
  await waitUntil('payments are made', () => paid() > 20)
  await stopPostgres(t)
  await waitUntil('requests are refused', () => answers.at(-1)?.status === 503)
  await postgres.start()
  const paidBefore = paid()
  await waitUntil('payments are made again', () => paid() > paidBefore + 20)
  enough.abort()
  await Promise.all(clients)

  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([201, 503]))
  const rows = await house.db.query<{ tx_ref: string }>(
    sql`select tx_ref from payments where tx_ref like 'restart-%'`,
  )
  const kept = new Set(rows.map((row) => row.tx_ref))
  const lost = answers.filter((answer) => answer.status === 201 && !kept.has(answer.txRef))
  assert.deepEqual(lost, [])
  assert.doesNotMatch(house.log(), /"level":"(error|fatal)"/)
})
