import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { readMerchant } from '../../src/core/merchants/authenticate.ts'
import { makeReadCheckout } from '../../src/core/payments/checkout-view.ts'
import { listHistory } from '../../src/core/payments/history-store.ts'
import { cards, cardOf, openTill, type Till } from '../support/till.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

async function read(digits: string): ReturnType<ReturnType<typeof makeReadCheckout>> {
  return makeReadCheckout(till.db, (merchantId) => readMerchant(till.db, merchantId))(digits)
}

test('a customer pays, and the page shows merchant, payment and card', async () => {
  const key = await till.newPayment()
  const digits = `${key.merchantId}${key.number}`
  const fresh = await read(digits)
  assert.equal(fresh?.merchantName, 'Corner shop')
  assert.equal(fresh?.lastAttempt, undefined)
  assert.equal(fresh?.attemptsLeft, 10)

  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  const paid = await read(digits)
  assert.equal(paid?.payment.state, 'success')
  const { startedAt, ...last } = paid?.lastAttempt ?? {}
  assert.match(startedAt ?? '', /^20\d\d-/)
  assert.deepEqual(last, {
    attempt: 1,
    state: 'succeeded',
    declineReason: undefined,
    cardBrand: 'Visa',
    cardLast4: '4242',
    hosted: undefined,
  })
})

test('an invalid link leads nowhere', async () => {
  for (const digits of [
    '',
    'x',
    '1'.repeat(31),
    '1'.repeat(33),
    '0'.repeat(32),
    `${till.merchantId}${'9'.repeat(24)}`,
  ]) {
    assert.equal(await read(digits), undefined)
  }
})

test('only a card’s brand and last four digits are stored', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.good)
  const kept = await Promise.all([
    till.db.query(sql`select attempts::text from attempts where number = ${key.number}`),
    till.db.query(sql`select charges::text from test_network.charges where payment_number = ${key.number}`),
  ])
  assert.deepEqual(
    kept.map((rows) => rows.length),
    [1, 1],
  )
  const text = JSON.stringify(kept) + till.log()
  assert.match(text, /Visa,4242/)
  assert.doesNotMatch(text, /4242[ -]?4242/)
})

test('a card that is no test card is refused unread: no attempt, no trace in database, ledger or log', async () => {
  const key = await till.newPayment()
  const number = '4012888888881881'
  assert.deepEqual(await till.payer.pay(key, cards.real), { kind: 'refused_card' })
  assert.deepEqual(await till.payer.pay(key, cardOf(number)), { kind: 'refused_card' })
  assert.deepEqual(await till.attempts(key), [])
  assert.ok(!till.log().includes(number))
})

test('an expired card or one without a code is declined as by a network', async () => {
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

test('a live payment without a network says so and does nothing', async () => {
  const key = await till.newPayment('live')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'unavailable' })
  assert.deepEqual(await till.attempts(key), [])
})

test('a test card on a live payment starts no attempt, and no money is requested', async () => {
  const live = await till.newPayment('live')
  const result = await till.payer.pay({ ...live, mode: 'test' }, cards.good)
  assert.notEqual(result.kind, 'paid')
  assert.equal((await till.read(live)).state, 'pending')
  assert.deepEqual(await till.attempts(live), [])
  assert.equal(await till.timesCharged(live), 0)
})

test('the history shows what happened to an attempt and its payment', async () => {
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
