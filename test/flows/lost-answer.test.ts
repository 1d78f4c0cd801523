import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Order } from '../../src/core/networks/connector.ts'
import { Database } from '../../src/platform/database/database.ts'
import { makePayer } from '../../src/core/payments/attempts/pay.ts'
import { makePaying } from '../../src/core/payments/attempts/paying.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { listHistory } from '../../src/core/payments/history-store.ts'
import type { PaymentKey } from '../../src/core/payments/store.ts'
import { cards, openTill, secondMs, type Till } from '../support/till.ts'

// The server dies at a named point of paying; another one finds out.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const never = AbortSignal.any([])

async function startOnly(key: PaymentKey, card = cards.good): Promise<Order> {
  const started = await till.paying.startAttempt(key, till.network, { brand: 'Visa', last4: '4242' })
  assert.equal(started.kind, 'started')
  const { attempt } = started
  return {
    merchantId: key.merchantId,
    paymentNumber: key.number,
    idempotencyKey: attempt.idempotency_key,
    mode: 'test',
    amountMinor: attempt.amount_minor,
    currency: attempt.currency,
    card,
  }
}

test('a server that dies after the network accepted leaves a payment found paid within a minute', async () => {
  const key = await till.newPayment()
  const order = await startOnly(key)
  await till.network.charge(order, never)

  till.forward(29 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'pending', 'its server may still be at work')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'in_flight' })

  till.forward(2 * secondMs)
  assert.equal(await reconcile(till.paying), 1)
  assert.equal((await till.read(key)).state, 'success')
  assert.equal(await till.timesCharged(key), 1)
})

test('a server that dies before calling the network leaves a payment that can be paid again', async () => {
  const key = await till.newPayment()
  await startOnly(key)
  till.forward(31 * secondMs)
  await reconcile(till.paying)

  const [attempt] = await till.attempts(key)
  assert.equal(attempt?.state, 'not_sent')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
  assert.equal(await till.timesCharged(key), 1)
})

test('a server that wakes up later and calls the network charges nothing', async () => {
  const key = await till.newPayment()
  const order = await startOnly(key)
  till.forward(31 * secondMs)
  await reconcile(till.paying)

  assert.deepEqual(await till.network.charge(order, never), { kind: 'declined', reason: 'network_silent' })
  assert.equal(await till.timesCharged(key), 0)
})

test('a server that dies before showing the 3-D Secure page lets the customer continue', async () => {
  const key = await till.newPayment()
  const order = await startOnly(key, cards.challenge)
  await till.network.charge(order, never)
  till.forward(31 * secondMs)
  await reconcile(till.paying)

  assert.equal((await till.attempts(key))[0]?.state, 'action_required')
  assert.deepEqual(await till.payer.answerChallenge(key, 1, 'approve'), { kind: 'paid' })
})

test('eleven servers that die before calling the network use up none of the ten attempts', async () => {
  const key = await till.newPayment()
  for (let death = 1; death <= 11; death += 1) {
    await startOnly(key)
    till.forward(31 * secondMs)
    await reconcile(till.paying)
  }
  assert.equal((await till.read(key)).state, 'pending')
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'paid' })
})

test('an approval that never reached the network is given up, not retried for ever', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  const deaf = makePayer(
    till.with({ continueAfterChallenge: async () => Promise.reject(new Error('cut off')) }),
  )
  assert.deepEqual(await deaf.answerChallenge(key, 1, 'approve'), { kind: 'waiting' })

  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.attempts(key))[0]?.state, 'not_sent')
  assert.equal(await till.timesCharged(key), 0)
})

test('a lost answer after the network charged is never shown as failed', async () => {
  const key = await till.newPayment()
  const lossy = makePayer(
    till.with({
      charge: async (order, signal) => {
        await till.network.charge(order, signal)
        throw new Error('connection reset')
      },
    }),
  )
  assert.deepEqual(await lossy.pay(key, cards.good), { kind: 'waiting' })
  assert.equal((await till.attempts(key))[0]?.state, 'unknown')

  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'success')
  assert.equal(await till.timesCharged(key), 1)
})

test('giving up a challenge without reaching the network is settled later', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  const deaf = makePayer(till.with({ withdraw: async () => Promise.reject(new Error('cut off')) }))
  assert.deepEqual(await deaf.giveUpChallenge(key, 1), { kind: 'waiting' })
  till.forward(6 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.attempts(key))[0]?.state, 'not_sent')
  assert.equal((await till.read(key)).state, 'pending')
})

test('a database lost after the network charged makes the customer wait, and the money is found', async () => {
  const key = await till.newPayment()
  const db = new Database(till.db.url)
  const leaving = till.with({
    charge: async (order, signal) => {
      const outcome = await till.network.charge(order, signal)
      await db.close()
      return outcome
    },
  })
  assert.deepEqual(await makePayer(makePaying({ ...leaving, db })).pay(key, cards.good), { kind: 'waiting' })

  till.forward(31 * secondMs)
  await reconcile(till.paying)
  assert.equal((await till.read(key)).state, 'success')
  assert.equal(await till.timesCharged(key), 1)
})

test('repeated, late or out-of-order answers change nothing', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.good)
  const payment = await till.read(key)
  const history = await listHistory(till.db, key)
  for (const outcome of [
    { kind: 'charged', connectorReference: 'again' },
    { kind: 'no_answer' },
    { kind: 'action_required', connectorReference: 'late' },
    { kind: 'declined', reason: 'declined' },
  ] as const) {
    await till.paying.applyOutcome({ ...key, attempt: 1 }, outcome)
  }
  assert.deepEqual(await till.read(key), payment)
  assert.deepEqual(await listHistory(till.db, key), history)
  assert.match(till.log(), /contradicts its earlier answer/)
})
