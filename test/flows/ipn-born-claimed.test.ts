import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { bySystem } from '../../src/core/audit/audit.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inTransaction } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { limits } from '../../src/core/notifications/queues.ts'
import { receiverOf } from '../../src/core/notifications/receiver-of.ts'
import { resumeReceiver } from '../../src/core/notifications/ipn/resume-receiver.ts'
import { lockPayment } from '../../src/core/payments/store.ts'
import { transition } from '../../src/core/payments/transition.ts'
import { makeClock } from '../support/clock.ts'
import { openHouse, post, type House } from '../support/house.ts'
import { createPayment, happens } from '../support/pay.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { startServerProcess } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

// An IPN that is written by a process with a worker needs no claim: it is under way with its commit.

const clock = makeClock()
let house: House
let worker: { stop(): Promise<void> }
before(async () => {
  house = await openHouse({ world: { now: clock.now, random: () => 0.5 } })
  worker = house.app.startWorker()
})
after(async () => {
  await worker.stop()
  await house.close()
})

type Payment = { merchantId: number; number: string }
type Written = { state: string; tries: number; lease_ms: number | null; untouched: boolean }

/** `untouched`: it still is as the payment's own commit wrote it. */
async function ipnOf(payment: Payment): Promise<Written> {
  const [found] = await house.db.query<Written>(sql`
    select deliveries.state, tries, deliveries.xmin = payment_history.xmin as untouched,
      extract(epoch from next_try_at - ${clock.now().toISOString()}::timestamptz)::float8 * 1000 as lease_ms
    from deliveries join payment_history using (merchant_id, number)
    where merchant_id = ${payment.merchantId} and number = ${payment.number} and kind = 'ipn'`)
  assert.ok(found)
  return found
}

async function paid(receiver: Receiver): Promise<Payment> {
  const payment = await createPayment(house, { callback_url: receiver.url })
  await happens(house, payment, 'paid')
  return payment
}

async function arrives(payment: Payment): Promise<void> {
  await waitUntil('it is delivered', async () => (await ipnOf(payment)).state === 'delivered')
}

/** A receiver that says nothing until it is let go. */
async function openSlowReceiver(): Promise<Receiver & { letGo(): void }> {
  const held: ServerResponse[] = []
  let isHolding = true
  const receiver = await openReceiver((_, response) => {
    if (isHolding) held.push(response)
    else response.end()
  })
  const letGo = (): void => {
    isHolding = false
    for (const response of held.splice(0)) response.end()
  }
  return { ...receiver, letGo }
}

test('a new IPN is sent as its commit left it: first attempt, leased, no statement in between', async () => {
  const receiver = await openSlowReceiver()
  const payment = await paid(receiver)
  await receiver.first(1)
  const { lease_ms: leaseMs, ...written } = await ipnOf(payment)
  assert.deepEqual(written, { state: 'waiting', tries: 1, untouched: true })
  assert.ok(leaseMs !== null && leaseMs > 10_000 && leaseMs <= 30_000, `leased for ${leaseMs} ms`)
  receiver.letGo()
  await arrives(payment)
  assert.equal(receiver.received.length, 1)
  await receiver.close()
})

test('failed transactions free their slots, and no receiver is called', async () => {
  const receiver = await openSlowReceiver()
  const payment = await createPayment(house, { callback_url: receiver.url })
  for (let count = 0; count <= limits.triesPerQueue; count += 1) {
    const failed = inTransaction(house.db, async (tx) => {
      const locked = await lockPayment(tx, payment)
      assert.ok(locked && (await transition(house.app.paying, tx, locked, 'paid')).moved)
      throw new Error('the power went')
    })
    await assert.rejects(failed, /the power went/)
  }
  // A refused statement whose error is swallowed turns the commit into a rollback.
  await inTransaction(house.db, async (tx) => {
    const locked = await lockPayment(tx, payment)
    assert.ok(locked && (await transition(house.app.paying, tx, locked, 'paid')).moved)
    await tx.query(sql`select 1 / 0`).catch(() => {})
  })
  await happens(house, payment, 'paid')
  await receiver.first(1)
  const { tries, untouched } = await ipnOf(payment)
  assert.deepEqual({ tries, untouched }, { tries: 1, untouched: true })
  receiver.letGo()
  await arrives(payment)
  assert.equal(receiver.received.length, 1)
  await receiver.close()
})

test('a paused receiver isn’t called and takes no slot, and gets everything when resumed', async () => {
  const receiver = await openReceiver()
  const origin = receiverOf(receiver.url)
  await house.db.query(sql`
    insert into receivers (merchant_id, mode, origin, failing_since, paused_at)
    values (${house.merchantId}, 'test', ${origin}, now(), now())`)
  const payments: Payment[] = []
  for (let count = 0; count <= limits.triesPerQueue; count += 1) payments.push(await paid(receiver))
  for (const payment of payments) {
    assert.deepEqual(await ipnOf(payment), { state: 'paused', tries: 0, lease_ms: null, untouched: true })
  }
  assert.equal(receiver.received.length, 0)
  await resumeReceiver(
    house.app.paying,
    { merchantId: house.merchantId, mode: 'test', origin },
    bySystem,
    clock.now(),
  )
  for (const payment of payments) await arrives(payment)
  assert.equal(receiver.received.length, payments.length)
  await receiver.close()
})

test('without a slot an IPN waits its turn, and is delivered when one is free', async () => {
  const receiver = await openSlowReceiver()
  const payments: Payment[] = []
  for (let count = 0; count < limits.triesPerQueue; count += 1) payments.push(await paid(receiver))
  await receiver.first(limits.triesPerQueue)
  const late = await paid(receiver)
  const { state, tries, untouched } = await ipnOf(late)
  assert.deepEqual({ state, tries, untouched }, { state: 'waiting', tries: 0, untouched: true })
  receiver.letGo()
  for (const payment of [...payments, late]) await arrives(payment)
  // A machine that stood still may have sent some again: they have the same id.
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
  assert.equal(ids.size, payments.length + 1)
  await receiver.close()
})

test('a slot is free once the receiver answered, however long recording takes', async () => {
  const receiver = await openReceiver()
  const payments: Payment[] = []
  await inTransaction(house.db, async (tx) => {
    await tx.query(sql`lock table delivery_attempts in share mode`)
    for (let count = 0; count <= limits.triesPerQueue; count += 1) payments.push(await paid(receiver))
    await receiver.first(payments.length)
  })
  for (const payment of payments) await arrives(payment)
  assert.equal(receiver.received.length, payments.length)
  await receiver.close()
})

test('IPNs claimed by a killed process are taken by another one when the lease ends', async () => {
  const doomed = await startServerProcess(house.databaseUrl, { BASE_URL: 'http://127.0.0.1:3000' })
  const receiver = await openReceiver((_, response) => {
    if (receiver.received.length === 1) process.kill(doomed.child.pid ?? 0, 'SIGKILL')
    else response.end()
  })
  const ended = once(doomed.child, 'exit')
  const payment = await createPayment(house, { callback_url: receiver.url })
  // No answer comes when it dies first.
  await post(`${doomed.url}/api/transaction/${payment.txRef}/cancel`, {}, house.secretKey).catch(() => {})
  const [first] = await receiver.first(1)
  await ended
  await house.app.deliverer.look()
  const { state, tries, untouched } = await ipnOf(payment)
  assert.deepEqual({ state, tries, untouched }, { state: 'waiting', tries: 1, untouched: true })
  clock.jump(31_000)
  await house.app.deliverer.look()
  const [, second] = await receiver.first(2)
  assert.equal(second?.headers['webhook-id'], first?.headers['webhook-id'])
  await arrives(payment)
  assert.equal((await ipnOf(payment)).tries, 2)
  await receiver.close()
})

test('an IPN whose commit nearly outlasted its lease is left to the next claim', async (t) => {
  const site = await openHouse()
  const receiver = await openReceiver()
  const stopping = site.app.deliverer.start()
  t.after(async () => {
    await stopping.stop()
    await receiver.close()
    await site.close()
  })
  const clockOfProcess = performance.now.bind(performance)
  const commitAfter = async (ms: number): Promise<{ merchantId: number; number: string }> => {
    const payment = await createPayment(site, { callback_url: receiver.url })
    await inTransaction(site.db, async (tx) => {
      const locked = await lockPayment(tx, payment)
      assert.ok(locked && (await transition(site.app.paying, tx, locked, 'paid')).moved)
      const ahead = clockOfProcess() + ms
      t.mock.method(performance, 'now', () => ahead)
    })
    // The commit is told of in the next turn.
    await nextTurn()
    t.mock.restoreAll()
    return payment
  }
  const states = async (): Promise<unknown[]> =>
    site.db.query(sql`select number, state, tries from deliveries where kind = 'ipn' order by created_at`)

  const late = await commitAfter(10_500)
  const inTime = await commitAfter(9_000)
  await waitUntil('the one that is in time arrives', async () =>
    (await states()).some((one) => (one as { state: string }).state === 'delivered'),
  )
  assert.deepEqual(await states(), [
    { number: late.number, state: 'waiting', tries: 1 },
    { number: inTime.number, state: 'delivered', tries: 1 },
  ])
  assert.equal(receiver.received.length, 1)
})

test('a worker stopped during a payment’s commit still delivers its IPN', async () => {
  const site = await openHouse()
  const receiver = await openReceiver()
  const payment = await createPayment(site, { callback_url: receiver.url })
  const stopping = site.app.startWorker()
  const stopped = await inTransaction(site.db, async (tx) => {
    const locked = await lockPayment(tx, payment)
    assert.ok(locked && (await transition(site.app.paying, tx, locked, 'paid')).moved)
    return { promise: stopping.stop() }
  })
  await stopped.promise
  const states = await site.db.query(sql`select state from deliveries where kind = 'ipn'`)
  assert.deepEqual(states, [{ state: 'delivered' }])
  assert.equal(receiver.received.length, 1)
  await receiver.close()
  await site.close()
})
