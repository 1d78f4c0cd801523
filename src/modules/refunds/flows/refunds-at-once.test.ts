import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCardRefunds } from '../../../../test/support/networks/test-network-records.ts'
import { violates } from '../../../platform/database/connection-lost.ts'
import { sql } from '../../../platform/database/sql.ts'
import { makeClock } from '../../../../test/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { call, openHouse, type House } from '../../../../test/support/house.ts'
import { paidPayment, refund, workOnRefunds, refundingOf } from '../../../../test/support/refunds.ts'

// Many programs and several servers at once, on one database.

const clock = makeClock()
let database: TestDatabase
let houses: readonly House[]
before(async () => {
  database = await createTestDatabase()
  const open = async () =>
    openHouse({
      databaseUrl: database.url,
      world: { now: clock.now },
      settings: { RATE_LIMIT_BURST: '1000' },
    })
  houses = [await open(), await open()]
})
after(async () => {
  await Promise.all(houses.map((house) => house.close()))
  await database.drop()
})

/** The n-th server, as the first one's merchant. */
function serverOf(index: number): House {
  const [first] = houses
  const house = houses[index % houses.length]
  if (!first || !house) throw new Error('There is no server')
  return { ...first, url: house.url }
}

test('fifty simultaneous refunds from two servers return what was paid, to the penny', async () => {
  const house = serverOf(0)
  const payment = await paidPayment(house)
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => refund(serverOf(index), payment, { amount: '0.70' })),
  )
  const taken = answers.filter(({ status }) => status === 201)
  assert.equal(taken.length, 14, '14 times 0.70 is 9.80')
  for (const { status, json } of answers.filter((answer) => answer.status !== 201)) {
    assert.equal(status, 409)
    assert.equal(json.code, 'more_than_left')
  }
  clock.jump(60_000)
  await workOnRefunds(refundingOf(house.app))
  assert.deepEqual(await readCardRefunds(house.db, payment), { count: 14, sumMinor: 980n })
  const shown = await call(`${house.url}/api/transaction/${payment.txRef}`, { key: house.secretKey })
  const { refunded, refunds, status } = shown.json.data as {
    refunded: string
    status: string
    refunds: { status: string }[]
  }
  assert.equal(refunded, '9.80')
  assert.equal(status, 'success')
  assert.deepEqual(new Set(refunds.map((one) => one.status)), new Set(['success']))
  assert.equal(refunds.length, 14)
})

test('fifty calls with one refund_ref make one refund', async () => {
  const house = serverOf(0)
  const payment = await paidPayment(house)
  const body = { refund_ref: 'once', amount: '1.00' }
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => refund(serverOf(index), payment, body)),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 49)
  assert.deepEqual(await readCardRefunds(house.db, payment), { count: 1, sumMinor: 100n })
})

test('the database refuses more than was paid, whatever the program does', async () => {
  const house = serverOf(0)
  const payment = await paidPayment(house)
  await refund(house, payment, { amount: '1.00' })
  await assert.rejects(
    house.db.query(sql`
      update refund_totals set reserved_minor = 1001 where number = ${payment.number}`),
    (error) => violates(error, 'refund_totals_at_most_all'),
  )
})
