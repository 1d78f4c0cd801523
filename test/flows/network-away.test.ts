import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { byBank } from '../support/hosted-choice.ts'
import { cards, dayMs, hourMs, minuteMs, openTill, secondMs } from '../support/till.ts'
import { waitUntil } from '../support/wait-until.ts'

// Days pass here, so each test has a till of its own.

test('an undecided network is asked after 5 s, 15 s, 1 min, 5 min, 15 min, 1 h, then hourly for seven days', async (t) => {
  const till = await openTill()
  t.after(() => till.close())
  const key = await till.newPayment()
  await till.payer.pay(key, cards.timeOutPaid)
  const undecided = till.with({ fetchStatus: async () => ({ kind: 'pending' }) })
  const pausesMs = [
    5 * secondMs,
    15 * secondMs,
    minuteMs,
    5 * minuteMs,
    15 * minuteMs,
    hourMs,
    hourMs,
    hourMs,
  ]
  for (const pauseMs of pausesMs) {
    till.forward(pauseMs - secondMs)
    assert.equal(await reconcile(undecided), 0, `asked before ${pauseMs} ms`)
    till.forward(secondMs)
    assert.equal(await reconcile(undecided), 1, `not asked after ${pauseMs} ms`)
  }

  till.forward(7 * dayMs)
  assert.equal(await reconcile(undecided), 1)
  till.forward(dayMs)
  assert.equal(await reconcile(undecided), 0)
  assert.equal((await till.attempts(key))[0]?.state, 'unknown', 'never shown as failed')
  assert.match(till.log(), /did not decide within seven days/)
})

test('a network that was down for a day is asked again within a minute of its return', async (t) => {
  const till = await openTill()
  t.after(() => till.close())
  const key = await till.newPayment()
  await till.payer.pay(key, cards.timeOutPaid)
  const away = till.with({ fetchStatus: async () => Promise.reject(new Error('connection refused')) })
  for (let passed = 0; passed < dayMs; passed += hourMs) {
    till.forward(hourMs)
    assert.equal(await reconcile(away), 1)
  }
  till.forward(31 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'success')
})

test('a network that doesn’t answer holds up no other: the next round starts without it', async (t) => {
  const till = await openTill()
  t.after(() => till.close())
  const stuck = await till.newPayment()
  await till.payer.choose(stuck, byBank, 'en')
  let answer: () => void = () => {}
  const hanging = till.withBank({
    fetch: async () =>
      new Promise((resolve) => {
        answer = () => resolve({ kind: 'not_found' })
      }),
  })
  till.forward(31 * secondMs)
  assert.equal(await reconcile(hanging, 1), 1)
  const other = await till.newPayment()
  await till.payer.pay(other, cards.timeOutPaid)
  till.forward(6 * secondMs)
  assert.equal(await reconcile(hanging), 1, 'what hangs is leased')
  assert.equal((await till.read(other)).state, 'success')
  answer()
  await waitUntil('the late answer is noted', async () => (await till.attempts(stuck))[0]?.checks === 1)
})
