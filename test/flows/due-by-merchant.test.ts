import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import { expirePayments } from '../../src/core/payments/attempts/expire-payments.ts'
import type { Payable } from '../../src/core/payments/attempts/pay.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { listHistory } from '../../src/core/payments/history-store.ts'
import { cards, hourMs, openTill, secondMs, type Till } from '../support/till.ts'

// Due work is found over all merchants and done merchant by merchant: the trouble of one is nobody else's.

let till: Till
let other: number
beforeEach(async () => {
  till = await openTill()
  other = await createMerchant(till.db, { name: 'Book shop' })
})
afterEach(() => till.close())

/** Another merchant's payment. */
async function newPaymentOfOther(): Promise<Payable> {
  return till.newPayment('test', other)
}

/** Every change of the merchant's rows fails, as on a node that is broken. */
async function breakMerchant(table: 'payments' | 'attempts', merchantId: number): Promise<void> {
  await till.db.query(sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'its node is broken'; end $$`)
  await till.db.query({
    text: `create trigger refuse before update on ${table} for each row when (old.merchant_id = ${merchantId})
      execute function refuse()`,
    values: [],
    name: undefined,
  })
}

test('a merchant’s payments that can’t expire don’t keep another merchant’s open', async () => {
  const stuck = await till.newPayment()
  const good = await newPaymentOfOther()
  await breakMerchant('payments', till.merchantId)
  till.forward(25 * hourMs)
  assert.equal(await expirePayments(till.paying), 1)
  assert.equal((await till.read(stuck)).state, 'pending')
  assert.equal((await till.read(good)).state, 'expired')
  assert.match(till.log(), /Could not expire a merchant's payments/)
})

test('a merchant’s attempts that can’t be claimed don’t keep another merchant’s unknown', async () => {
  const stuck = await till.newPayment()
  const good = await newPaymentOfOther()
  await till.payer.pay(stuck, cards.timeOutPaid)
  await till.payer.pay(good, cards.timeOutPaid)
  await breakMerchant('attempts', till.merchantId)
  till.forward(6 * secondMs)
  assert.equal(await reconcile(till.paying), 1)
  assert.equal((await till.read(stuck)).state, 'pending')
  assert.equal((await till.read(good)).state, 'success')
  assert.match(till.log(), /Could not claim a merchant's attempts/)
})

test('a merchant with many attempts to check leaves room for one with a single attempt', async () => {
  const many = await Promise.all(Array.from({ length: 40 }, () => till.newPayment()))
  await Promise.all(many.map((key) => till.payer.pay(key, cards.timeOutPaid)))
  till.forward(secondMs)
  const single = await newPaymentOfOther()
  await till.payer.pay(single, cards.timeOutPaid)
  till.forward(6 * secondMs)
  assert.equal(await reconcile(till.paying), 11, 'half of twenty, and the single one')
  assert.equal((await till.read(single)).state, 'success')
})

test('while the search over all merchants fails, merchants with recent work are visited', async () => {
  const before = await till.newPayment()
  await till.payer.pay(before, cards.timeOutPaid)
  till.forward(6 * secondMs)
  await reconcile(till.paying)

  const key = await till.newPayment()
  await till.payer.pay(key, cards.timeOutPaid)
  till.forward(6 * secondMs)
  till.db.look = async () => {
    throw new Error('a node is away')
  }
  assert.equal(await reconcile(till.paying), 1)
  assert.equal((await till.read(key)).state, 'success')
  assert.match(till.log(), /Could not look for due work/)
})

test('a payment’s history counts from one, and continues an older release’s count', async () => {
  const key = await till.newPayment()
  await till.payer.pay(key, cards.challenge)
  await till.db.query(sql`update payment_history set id = 900 where number = ${key.number}`)
  await till.payer.answerChallenge(key, 1, 'approve')
  const ids = await till.db.query<{ id: bigint }>(sql`
    select id from payment_history where number = ${key.number} order by id`)
  assert.deepEqual(
    ids.map(({ id }) => id),
    [900n, 901n, 902n, 903n],
  )
  const events = (await listHistory(till.db, key)).map(({ event }) => event)
  assert.deepEqual(events, ['needs_action', 'sent_on', 'charged', 'paid'])
})
