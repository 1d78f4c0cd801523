import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { makeReadCheckout } from '../../src/core/payments/checkout-view.ts'
import { cards, openTill, type Till } from '../support/till.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

async function read(digits: string): ReturnType<ReturnType<typeof makeReadCheckout>> {
  return makeReadCheckout(till.db, (merchantId) => readMerchant(till.db, merchantId))(digits)
}

test('nine declined attempts leave the page open, the tenth ends the payment', async () => {
  const key = await till.newPayment()
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    assert.deepEqual(await till.payer.pay(key, cards.declined), { kind: 'declined', reason: 'declined' })
    const view = await read(`${key.merchantId}${key.number}`)
    assert.equal(view?.payment.state, 'pending')
    assert.equal(view?.attemptsLeft, 10 - attempt)
    assert.equal(view?.lastAttempt?.declineReason, 'declined')
  }
  await till.payer.pay(key, cards.declined)
  assert.equal((await till.read(key)).state, 'failed')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'closed' })
  assert.equal(await till.timesCharged(key), 0)
})

test('ten simultaneous declines are counted one by one', async () => {
  const key = await till.newPayment()
  let declined = 0
  while (declined < 10) {
    const results = await Promise.all(Array.from({ length: 4 }, () => till.payer.pay(key, cards.declined)))
    declined += results.filter(({ kind }) => kind === 'declined').length
  }
  assert.equal(declined, 10)
  assert.equal((await till.attempts(key)).length, 10)
  assert.equal((await till.read(key)).state, 'failed')
})

test('an abandoned challenge is not a declined attempt', async () => {
  const key = await till.newPayment()
  for (let attempt = 1; attempt <= 11; attempt += 1) {
    await till.payer.pay(key, cards.challenge)
    await till.payer.giveUpChallenge(key, attempt)
  }
  const view = await read(`${key.merchantId}${key.number}`)
  assert.equal(view?.attemptsLeft, 10)
  assert.partialDeepStrictEqual(view?.lastAttempt, {
    attempt: 11,
    state: 'abandoned',
    declineReason: 'challenge_abandoned',
    cardBrand: 'Visa',
    cardLast4: '3220',
  })
})

test('the hundredth attempt is the last, however it ended', async () => {
  const key = await till.newPayment()
  for (let attempt = 1; attempt <= 100; attempt += 1) {
    await till.payer.pay(key, cards.challenge)
    await till.payer.giveUpChallenge(key, attempt)
  }
  assert.equal((await till.read(key)).state, 'failed')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'closed' })
})
