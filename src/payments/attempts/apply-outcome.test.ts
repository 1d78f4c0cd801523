import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../database/database.ts'
import { openTill, cards, type Till } from '../../../test/support/till.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { countWaiting } from '../../../test/support/who-waits.ts'
import { lockWithPayments } from './attempt-store.ts'
import { moveAttempt } from './move-attempt.ts'
import { listHistory } from '../history-store.ts'
import { transition } from '../transition.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

test('an outcome that had to wait for another finds the attempt as that one left it', async () => {
  const payment = await till.newPayment()
  await till.payer.pay(payment, cards.challenge)
  const key = { ...payment, attempt: 1 }
  const charged = { kind: 'charged', connectorReference: 'tn_1' } as const

  const second = await inTransaction(till.db, async (tx) => {
    const { payments, attempts } = await lockWithPayments(tx, key.merchantId, [key])
    const [locked] = payments.values()
    const [attempt] = attempts.values()
    assert.ok(locked && attempt)
    const late = till.paying.applyOutcome(key, charged)
    await waitUntil('the second outcome waits', async () => (await countWaiting(till.db)) > 0)
    await moveAttempt(till.paying, tx, {
      before: attempt,
      mode: 'test',
      event: 'charged',
      at: till.paying.now(),
    })
    await transition(till.paying, tx, locked, 'paid')
    // Not awaited before this commit, which it waits for.
    return { late }
  })

  assert.equal((await second.late).state, 'succeeded')
  const events = (await listHistory(till.db, payment)).map(({ event }) => event)
  assert.deepEqual(events, ['needs_action', 'charged', 'paid'])
})

test('an outcome that no attempt belongs to fails alone, whoever it arrived with', async () => {
  const charged = { kind: 'charged', connectorReference: 'tn_2' } as const
  const payments = [await till.newPayment(), await till.newPayment(), await till.newPayment()]
  for (const payment of payments) await till.payer.pay(payment, cards.challenge)
  // The first is on its way alone; those that come meanwhile share what follows.
  const numbers = payments.map(({ number }) => number)
  const results = await Promise.allSettled(
    [...numbers, '0'.repeat(24), ...numbers].map(async (number) =>
      till.paying.applyOutcome({ merchantId: till.merchantId, number, attempt: 1 }, charged),
    ),
  )
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value.state : String(result.reason))),
    [
      ...payments.map(() => 'succeeded'),
      'Error: An outcome came for an attempt that does not exist',
      ...payments.map(() => 'succeeded'),
    ],
  )
})
