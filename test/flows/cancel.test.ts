import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { cards, openTill, secondMs, type Till } from '../support/till.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const refusal = (message: RegExp) => ({ name: 'Refusal', code: 'not_cancellable', message })

test('an unpaid payment is cancelled, and cancelling twice is no error', async () => {
  const key = await till.newPayment()
  assert.equal((await till.payer.cancel(key, bySystem)).state, 'cancelled')
  assert.equal((await till.payer.cancel(key, 'customer')).state, 'cancelled')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'closed' })
})

test('a paid payment can’t be cancelled', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.good)
  await assert.rejects(till.payer.cancel(key, 'customer'), refusal(/was paid/))
})

test('a payment with an unknown outcome can’t be cancelled until it is known', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.timeOutNotPaid)
  await assert.rejects(till.payer.cancel(key, 'customer'), refusal(/being paid right now/))
  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.payer.cancel(key, 'customer')).state, 'cancelled')
})

test('cancelling on the 3-D Secure page gives up the challenge first', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  await assert.rejects(till.payer.cancel(key, bySystem), refusal(/being paid right now/))
  assert.equal((await till.payer.cancel(key, 'customer')).state, 'cancelled')
  assert.equal((await till.attempts(key))[0]?.state, 'abandoned')

  await till.payer.answerChallenge(key, 1, 'approve')
  assert.equal(await till.timesCharged(key), 0)
  assert.equal((await till.read(key)).state, 'cancelled')
})

test('a customer can’t cancel until the network confirms that the challenge is over', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  const deaf = makePayer(till.with({ withdraw: async () => Promise.reject(new Error('cut off')) }))
  await assert.rejects(deaf.cancel(key, 'customer'), refusal(/being paid right now/))
})

test('cancelling and paying at once end in one of the two, with matching money', async () => {
  for (let round = 0; round < 20; round += 1) {
    const key = await till.newPayment()
    await Promise.allSettled([
      till.payer.pay(key, cards.good),
      till.payer.cancel(key, bySystem),
      till.payer.pay(key, cards.good),
    ])
    const charged = await till.timesCharged(key)
    assert.equal((await till.read(key)).state, charged === 1 ? 'success' : 'cancelled')
  }
})

test('cancelling an unknown payment is not found', async () => {
  await assert.rejects(till.payer.cancel({ merchantId: till.merchantId, number: '0'.repeat(24) }, bySystem), {
    code: 'not_found',
  })
})
