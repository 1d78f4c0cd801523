import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { answerChallenge } from '../../src/core/payments/attempts/answer-challenge.ts'
import { cards, openTill, type Till } from '../support/till.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('while one tab is on the 3-D Secure page the other can’t start an attempt', async () => {
  const key = await till.newPayment()
  assert.deepEqual(await till.payer.pay(key, cards.challenge), { kind: 'action_required' })
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'in_flight' })
  assert.equal(await till.timesCharged(key), 0)

  assert.deepEqual(await till.payer.answerChallenge(key, 1, 'approve'), { kind: 'paid' })
  assert.equal(await till.timesCharged(key), 1)
})

test('approving in twenty tabs at once charges once and all of them succeed', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  const results = await Promise.all(
    Array.from({ length: 20 }, () => till.payer.answerChallenge(key, 1, 'approve')),
  )
  assert.ok(results.every(({ kind }) => kind === 'paid' || kind === 'waiting'))
  assert.equal(await till.timesCharged(key), 1)
  assert.equal((await till.read(key)).state, 'success')
})

test('the network gets the first answer, and no other', async () => {
  const key = { ...(await till.newPayment()), attempt: 1 }
  await till.payer.pay(key, cards.challenge)
  const heard: string[] = []
  const paying = till.with({
    async continueAfterChallenge(order, answer, signal) {
      heard.push(answer)
      return till.network.continueAfterChallenge(order, answer, signal)
    },
  })
  for (const answer of ['refuse', 'approve', 'refuse'] as const) await answerChallenge(paying, key, answer)
  assert.deepEqual(heard, ['refuse'])
})

test('a refused challenge leaves the payment open for another card', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  const refused = { kind: 'declined', reason: 'challenge_refused' }
  assert.deepEqual(await till.payer.answerChallenge(key, 1, 'refuse'), refused)
  assert.deepEqual(await till.payer.answerChallenge(key, 1, 'approve'), refused)
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.equal(await till.timesCharged(key), 1)
})

test('a customer may choose another card, and the abandoned page can’t charge any more', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  const abandoned = { kind: 'declined', reason: 'challenge_abandoned' }
  assert.deepEqual(await till.payer.giveUpChallenge(key, 1), abandoned)
  assert.deepEqual(await till.payer.answerChallenge(key, 1, 'approve'), abandoned)
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.deepEqual(
    (await till.attempts(key)).map(({ state }) => state),
    ['abandoned', 'succeeded'],
  )
  assert.equal(await till.timesCharged(key), 1)
})

test('whether approving or giving up comes first, the result matches the network’s', async () => {
  for (let round = 0; round < 20; round += 1) {
    const key = await till.newPayment()
    await till.payer.pay(key, cards.challenge)
    await Promise.all([
      till.payer.answerChallenge(key, 1, 'approve'),
      till.payer.giveUpChallenge(key, 1),
      till.payer.answerChallenge(key, 1, 'refuse'),
    ])
    const { state } = await till.read(key)
    assert.equal(state, (await till.timesCharged(key)) === 1 ? 'success' : 'pending')
    assert.ok(['succeeded', 'declined', 'abandoned'].includes((await till.attempts(key))[0]?.state ?? ''))
  }
})

test('an answer to a nonexistent challenge is refused as closed', async () => {
  const key = await till.newPayment()
  assert.deepEqual(await till.payer.answerChallenge(key, 1, 'approve'), { kind: 'closed' })
  assert.deepEqual(await till.payer.giveUpChallenge(key, 7), { kind: 'closed' })
})
