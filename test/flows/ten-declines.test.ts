import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readCheckout } from '../../src/payments/checkout-view.ts'
import { listHistory } from '../../src/payments/store.ts'
import { cards, cardOf, openTill, type Till } from '../support/till.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('nine declined attempts leave the page open, the tenth ends the payment', async () => {
  const key = await till.newPayment()
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    assert.deepEqual(await till.payer.pay(key, cards.declined), { kind: 'declined', reason: 'declined' })
    const view = await readCheckout(till.db, `${key.merchantId}${key.number}`)
    assert.equal(view?.payment.state, 'pending')
    assert.equal(view?.attemptsLeft, 10 - attempt)
    assert.equal(view?.lastAttempt?.declineReason, 'declined')
  }
  await till.payer.pay(key, cards.declined)
  assert.equal((await till.read(key)).state, 'failed')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'closed' })
  assert.equal(await till.timesCharged(key), 0)
})

test('ten pages that decline at once count one by one', async () => {
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

test('a challenge that the customer walks away from is not a declined attempt', async () => {
  const key = await till.newPayment()
  for (let attempt = 1; attempt <= 11; attempt += 1) {
    await till.payer.pay(key, cards.challenge)
    await till.payer.giveUpChallenge(key, attempt)
  }
  const view = await readCheckout(till.db, `${key.merchantId}${key.number}`)
  assert.equal(view?.attemptsLeft, 10)
  assert.deepEqual(view?.lastAttempt, {
    attempt: 11,
    state: 'abandoned',
    declineReason: 'challenge_abandoned',
    cardBrand: 'Visa',
    cardLast4: '3220',
  })
})

test('yet the hundredth attempt is the last, however it ended', async () => {
  const key = await till.newPayment()
  for (let attempt = 1; attempt <= 100; attempt += 1) {
    await till.payer.pay(key, cards.challenge)
    await till.payer.giveUpChallenge(key, attempt)
  }
  assert.equal((await till.read(key)).state, 'failed')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'closed' })
})

test('a card that is no test card is refused unread: no attempt, no trace in database, books or log', async () => {
  const key = await till.newPayment()
  const number = '4012888888881881'
  assert.deepEqual(await till.payer.pay(key, cards.real), { kind: 'refused_card' })
  assert.deepEqual(await till.payer.pay(key, cardOf(number)), { kind: 'refused_card' })
  assert.deepEqual(await till.attempts(key), [])
  assert.ok(!till.log().includes(number))
})

test('a card that has run out or lacks its code is declined as a network would', async () => {
  const key = await till.newPayment()
  const { good } = cards
  assert.deepEqual(await till.payer.pay(key, { ...good, expiryYear: 2020 }), {
    kind: 'declined',
    reason: 'expired_card',
  })
  assert.deepEqual(await till.payer.pay(key, { ...good, cvc: '12' }), {
    kind: 'declined',
    reason: 'wrong_cvc',
  })
})

test('a live payment has no network yet: paying says so and does nothing', async () => {
  const key = await till.newPayment('live')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'unavailable' })
  assert.deepEqual(await till.attempts(key), [])
})

test('the history tells how an attempt and its payment came about', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  await till.payer.answerChallenge(key, 1, 'approve')
  const steps = (await listHistory(till.db, key)).map((row) => [row.attempt, row.event, row.to_state])
  assert.deepEqual(steps, [
    [1, 'needs_action', 'action_required'],
    [1, 'sent_on', 'submitted'],
    [1, 'charged', 'succeeded'],
    [null, 'paid', 'success'],
  ])
})
