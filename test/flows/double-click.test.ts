import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cards, openTill, type Till } from '../support/till.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('fifty simultaneous clicks on the pay button charge once', async () => {
  const key = await till.newPayment()
  const results = await Promise.all(Array.from({ length: 50 }, () => till.payer.pay(key, cards.good)))

  assert.equal(results.filter(({ kind }) => kind === 'paid').length, 1)
  assert.deepEqual(
    new Set(results.map(({ kind }) => kind)).difference(new Set(['paid', 'in_flight', 'closed'])),
    new Set(),
  )
  assert.equal(await till.timesCharged(key), 1)
  assert.equal((await till.attempts(key)).length, 1)
  assert.equal((await till.read(key)).state, 'success')
})

test('fifty simultaneous cards that time out leave one attempt', async () => {
  const key = await till.newPayment()
  const results = await Promise.all(Array.from({ length: 50 }, () => till.payer.pay(key, cards.timeOutPaid)))

  assert.equal(results.filter(({ kind }) => kind === 'waiting').length, 1)
  assert.equal(results.filter(({ kind }) => kind === 'in_flight').length, 49)
  assert.equal(await till.timesCharged(key), 1)
})

test('paying again after the receipt is refused', async () => {
  const key = await till.newPayment()
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'closed' })
  assert.equal(await till.timesCharged(key), 1)
})
