import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { expirePayments } from '../../src/core/payments/attempts/expire-payments.ts'
import { reconcile } from '../../src/core/payments/attempts/reconcile.ts'
import { lockPayment } from '../../src/core/payments/store.ts'
import { transition } from '../../src/core/payments/transition.ts'
import { cards, dayMs, hourMs, openTill, type Till } from '../support/till.ts'
import { waitUntil } from '../support/wait-until.ts'
import { countWaiting } from '../support/who-waits.ts'

// Each test has a till of its own: the clock never goes back.
let till: Till
beforeEach(async () => {
  till = await openTill()
})
afterEach(() => till.close())

test('a payment expires after a day, not before', async () => {
  const key = await till.newPayment()
  till.forward(23 * hourMs)
  assert.equal(await expirePayments(till.paying), 0)
  till.forward(2 * hourMs)
  assert.equal(await expirePayments(till.paying), 1)
  assert.equal((await till.read(key)).state, 'expired')
  assert.equal(await expirePayments(till.paying), 0)
})

test('an expired payment can’t be paid, even before it was swept', async () => {
  const key = await till.newPayment()
  till.forward(25 * hourMs)
  assert.deepEqual(await till.payer.pay(key, cards.good), { kind: 'closed' })
  assert.equal((await till.read(key)).state, 'expired')
  assert.equal(await till.timesCharged(key), 0)
})

test('a payment doesn’t expire while an attempt is in flight', async () => {
  const unknown = await till.newPayment()
  const challenged = await till.newPayment()
  await till.payer.pay(unknown, cards.timeOutPaid)
  await till.payer.pay(challenged, cards.challenge)
  till.forward(25 * hourMs)
  assert.equal(await expirePayments(till.paying), 0)
  assert.deepEqual(await till.payer.pay(unknown, cards.good), { kind: 'in_flight' })

  await reconcile(till.paying)
  assert.equal((await till.read(unknown)).state, 'success')
  assert.equal((await till.read(unknown)).late, false)
  assert.equal(await expirePayments(till.paying), 1)
  assert.equal((await till.read(challenged)).state, 'expired')
})

test('an attempt and the expiry at the same moment never both win', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => till.newPayment()))
  // The payer's clock still stands before the end, the sweeper's after it, as on two machines.
  const later = { ...till.paying, now: () => new Date(till.paying.now().getTime() + 25 * hourMs) }
  await Promise.all([
    ...keys.map((key) => till.payer.pay(key, cards.good)),
    ...keys.map(() => expirePayments(later)),
  ])
  for (const key of keys) {
    const charged = await till.timesCharged(key)
    const payment = await till.read(key)
    assert.equal(payment.state, charged === 1 ? 'success' : 'expired')
    assert.equal(payment.late, false)
  }
})

test('a payment that can’t expire doesn’t keep the others open', async () => {
  const [first, stuck, last] = [await till.newPayment(), await till.newPayment(), await till.newPayment()]
  await till.db.query(sql`
    create function refuse_one() returns trigger language plpgsql as $$
      begin raise exception 'this one does not move'; end $$`)
  await till.db.query({
    text: `create trigger refuse_one before update on payments for each row when (old.number = '${stuck.number}')
      execute function refuse_one()`,
    values: [],
    name: undefined,
  })
  till.forward(25 * hourMs)
  assert.equal(await expirePayments(till.paying), 2)
  const states = await Promise.all([first, stuck, last].map(async (key) => (await till.read(key)).state))
  assert.deepEqual(states, ['expired', 'pending', 'expired'])
  assert.match(till.log(), /Could not expire a payment/)
})

test('a payment stays open if an attempt starts while it is expiring', async () => {
  const stuck = await till.newPayment()
  const busy = await till.newPayment()
  // Ending the first one waits for whoever holds lock 1, and fails. Then each is ended by itself, this one first, which
  // waits for lock 2: so that the attempt begins before the other one's turn comes, however slow the machine is.
  await till.db.query(sql`create sequence tries`)
  await till.db.query(sql`
    create function wait_and_refuse() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(nextval('tries')); raise exception 'this one does not move'; end $$`)
  await till.db.query({
    text: `create trigger wait_and_refuse before update on payments for each row when (old.number = '${stuck.number}')
      execute function wait_and_refuse()`,
    values: [],
    name: undefined,
  })
  await till.db.query(sql`
    update payments set expires_at = expires_at + interval '1 minute' where number = ${busy.number}`)
  const later = { ...till.paying, now: () => new Date(till.paying.now().getTime() + 25 * hourMs) }
  const sweep = await inTransaction(till.db, async (second) => {
    await second.query(sql`select pg_advisory_xact_lock(2)`)
    const under = await inTransaction(till.db, async (first) => {
      await first.query(sql`select pg_advisory_xact_lock(1)`)
      const ending = expirePayments(later)
      await waitUntil('both are locked to be ended', async () => (await countWaiting(till.db)) === 1)
      // The payer's clock still stands before the end.
      const paid = till.payer.pay(busy, cards.challenge)
      await waitUntil('the attempt waits for the payment', async () => (await countWaiting(till.db)) === 2)
      return { ending, paid }
    })
    assert.deepEqual(await under.paid, { kind: 'action_required' })
    return under
  })
  assert.equal(await sweep.ending, 0)
  assert.equal((await till.read(busy)).state, 'pending')
})

test('an over-long host stored before there was a limit blocks nothing', async () => {
  const key = await till.newPayment()
  const wide = `https://${'abcdefgh.'.repeat(220)}example.com/`
  await till.db.query(sql`update payments set callback_url = ${wide} where number = ${key.number}`)
  await till.payer.pay(key, cards.good)
  assert.equal((await till.read(key)).state, 'success')
  const kept = await till.db.query(sql`select state, target from deliveries where kind = 'ipn'`)
  assert.deepEqual(kept, [{ state: 'kept', target: '' }])
})

test('two workers expire every payment once', async () => {
  const keys = await Promise.all(Array.from({ length: 120 }, () => till.newPayment()))
  till.forward(25 * hourMs)
  let expired = 0
  for (;;) {
    const done = await Promise.all([expirePayments(till.paying), expirePayments(till.paying)])
    expired += done[0] + done[1]
    if (done[0] + done[1] === 0) break
  }
  assert.equal(expired, keys.length)
})

test('money for a payment that expired meanwhile makes it a success, marked late', async () => {
  for (const event of ['ran_out_of_time', 'cancelled_by_merchant'] as const) {
    const key = await till.newPayment()
    await till.payer.pay(key, cards.timeOutPaid)
    // Florin itself never does this while an attempt is in flight; a person with a database console might.
    await inTransaction(till.db, async (tx) => {
      const payment = await lockPayment(tx, key)
      assert.ok(payment)
      await transition(till.paying, tx, payment, event)
    })

    till.forward(dayMs / 24)
    await reconcile(till.paying)
    const payment = await till.read(key)
    assert.equal(payment.state, 'success')
    assert.equal(payment.late, true)
    assert.equal(await till.timesCharged(key), 1)
  }
})
