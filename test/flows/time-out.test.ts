import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { cards, dayMs, minuteMs, openTill, secondMs, type Till } from '../support/till.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('a time-out is unknown, and found paid once the network has decided', async () => {
  const key = await till.newPayment()
  assert.deepEqual(await till.payer.pay(key, cards.timeOutPaid), { kind: 'waiting' })
  assert.equal((await till.attempts(key))[0]?.state, 'unknown')
  assert.equal(await reconcile(till.paying), 0, 'not asked before five seconds have passed')

  till.forward(6 * secondMs)
  assert.equal(await reconcile(till.paying), 1)
  assert.equal((await till.read(key)).state, 'success')
  assert.equal(await till.timesCharged(key), 1)
})

test('a time-out found unpaid leaves the page open, and no second attempt started meanwhile', async () => {
  const key = await till.newPayment()
  assert.deepEqual(await till.payer.pay(key, cards.timeOutNotPaid), { kind: 'waiting' })
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'in_flight' })

  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.attempts(key))[0]?.state, 'declined')
  assert.equal((await till.read(key)).state, 'pending')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.equal(await till.timesCharged(key), 1)
})

test('a challenge unanswered for fifteen minutes is given up, and the payment can be paid again', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  till.forward(15 * minuteMs - secondMs)
  assert.equal(await reconcile(till.paying), 0)
  till.forward(secondMs)
  assert.equal(await reconcile(till.paying), 1)
  assert.equal((await till.attempts(key))[0]?.state, 'abandoned')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.equal(await till.timesCharged(key), 1)
})

test('two workers at once never ask about the same attempt', async () => {
  const keys = await Promise.all(Array.from({ length: 30 }, () => till.newPayment()))
  for (const key of keys) await till.payer.pay(key, cards.timeOutPaid)
  till.forward(6 * secondMs)
  const asked: string[] = []
  const counting = till.with({
    fetchStatus: async (order, signal) => {
      asked.push(order.idempotencyKey)
      return till.network.fetchStatus(order, signal)
    },
  })
  while ((await Promise.all([reconcile(counting), reconcile(counting), reconcile(counting)])).some(Boolean));

  assert.equal(asked.length, 30)
  assert.equal(new Set(asked).size, 30)
  for (const key of keys) assert.equal((await till.read(key)).state, 'success')
})

test('attempts started while the clock was a day ahead are settled once it is right again', async () => {
  till.rewind()
  till.forward(dayMs)
  const keys = [await till.newPayment(), await till.newPayment()] as const
  await till.payer.pay(keys[0], cards.timeOutPaid)
  const dying = makePayer(till.with({ charge: async () => Promise.reject(new Error('lost')) }))
  await dying.pay(keys[1], cards.good)
  till.rewind()

  assert.equal(await reconcile(till.paying), 2)
  assert.equal((await till.read(keys[0])).state, 'success')
  assert.equal((await till.attempts(keys[1]))[0]?.state, 'not_sent')
})
