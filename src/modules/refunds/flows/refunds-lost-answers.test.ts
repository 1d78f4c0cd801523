import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RefundOrder, RefundStatus } from '../../../core/networks/connector.ts'
import { readCardRefunds } from '../../../../test/support/networks/test-network-records.ts'
import { sql } from '../../../platform/database/sql.ts'
import { bySystem } from '../../../core/audit/audit.ts'
import { readMerchant } from '../../../core/merchants/authenticate.ts'
import type { Payable } from '../../../core/payments/attempts/pay.ts'
import type { Paying } from '../../../core/payments/attempts/paying.ts'
import { askAboutRefund } from '../ask-about-refund.ts'
import { reconcileRefunds } from '../reconcile-refunds.ts'
import type { Refunding } from '../refunding.ts'
import { requestRefund } from '../request-refund.ts'
import { findById, type RefundRow } from '../store.ts'
import { byBank } from '../../../../test/support/hosted-choice.ts'
import { cards, dayMs, openTill, secondMs, type Till } from '../../../../test/support/till.ts'

// What a network said was lost, came twice, too late or in another order: the money goes back once, and no refund is
// forgotten or shown as failed while nobody knows.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

function refundingWith(paying: Paying = till.paying): Refunding {
  const { db, log, now } = paying
  return {
    db,
    log,
    now,
    paying,
    findMerchant: async (merchantId) => readMerchant(till.db, merchantId),
    metrics: { refundMoved: () => {} },
  }
}

async function paid(card = cards.good): Promise<Payable> {
  const key = await till.newPayment()
  assert.equal((await till.payer.pay(key, card)).kind, 'paid')
  return key
}

let drawn = 0

async function ask(refunding: Refunding, key: Payable, amountMinor?: bigint): Promise<RefundRow> {
  drawn += 1
  const request = { refundRef: `lost-${drawn}`, amountMinor, reason: undefined }
  return (await requestRefund(refunding, await till.read(key), request, bySystem)).refund
}

async function stateOf({ merchant_id: merchantId, id }: RefundRow): Promise<string | undefined> {
  return (await findById(till.db, { merchantId, id }))?.state
}

async function work(refunding: Refunding, ms: number): Promise<void> {
  till.forward(ms)
  while ((await reconcileRefunds(refunding)) > 0);
}

async function events(key: Payable): Promise<string[]> {
  const rows = await till.db.query<{ event: string }>(sql`
    select event from deliveries where number = ${key.number} and kind = 'ipn' and event like 'refund%'`)
  return rows.map(({ event }) => event)
}

const lost = async (): Promise<never> => {
  throw new Error('The connection broke')
}

test('a lost answer after the network took the refund leaves it requested, with one refund at the network', async () => {
  const key = await paid()
  const broken = till.with({
    async refund(order, signal): Promise<RefundStatus> {
      await till.network.refund(order, signal)
      return lost()
    },
  })
  const refund = await ask(refundingWith(broken), key)
  assert.equal(refund.state, 'requested')
  assert.equal((await till.read(key)).state, 'success')
  await work(refundingWith(broken), 40 * secondMs)
  assert.equal(await stateOf(refund), 'requested', 'still nobody knows')
  await work(refundingWith(), 40 * secondMs)
  assert.equal(await stateOf(refund), 'succeeded')
  assert.equal((await till.read(key)).state, 'refunded')
  assert.deepEqual(await readCardRefunds(till.db, key), { count: 1, sumMinor: 123_450n })
  assert.deepEqual(await events(key), ['refund.success'])
})

test('a server that dies before calling the network leaves a refund that a worker sends', async () => {
  const key = await paid()
  const dead = { ...refundingWith(), paying: till.with({ refund: lost, fetchRefund: lost }) }
  const refund = await ask(dead, key, 100n)
  await till.db.query(sql`update refunds set sent_at = null where id = ${refund.id}`)
  await work(refundingWith(), 40 * secondMs)
  assert.equal(await stateOf(refund), 'succeeded')
  assert.deepEqual(await readCardRefunds(till.db, key), { count: 1, sumMinor: 100n })
})

test('a network down for longer than it remembers keys is only asked, and a refund that never arrived has failed', async () => {
  const key = await paid()
  let sent = 0
  const away = till.with({ refund: lost, fetchRefund: lost })
  const refund = await ask(refundingWith(away), key)
  await work(refundingWith(away), dayMs)
  assert.equal(await stateOf(refund), 'requested')
  const back = till.with({
    async refund(order, signal) {
      sent += 1
      return till.network.refund(order, signal)
    },
  })
  await work(refundingWith(back), 40 * secondMs)
  assert.equal(await stateOf(refund), 'failed')
  assert.equal(sent, 0)
  assert.equal((await till.read(key)).state, 'success')
  assert.equal((await ask(refundingWith(), key)).state, 'succeeded')
  till.rewind()
})

test('a refund waits for the answer about the previous one, and knows the total refunded', async () => {
  const key = await paid()
  const orders: RefundOrder[] = []
  let isAway = true
  const network = till.with({
    async refund(order, signal) {
      if (isAway) return lost()
      orders.push(order)
      return till.network.refund(order, signal)
    },
  })
  const first = await ask(refundingWith(network), key, 1_000n)
  const second = await ask(refundingWith(network), key, 500n)
  isAway = false
  await work(refundingWith(network), 0)
  assert.deepEqual([await stateOf(first), await stateOf(second)], ['requested', 'requested'])
  await work(refundingWith(network), 6 * secondMs)
  assert.deepEqual([await stateOf(first), await stateOf(second)], ['succeeded', 'succeeded'])
  assert.deepEqual(
    orders.map(({ refundedBeforeMinor }) => refundedBeforeMinor),
    [0n, 1_000n],
  )
})

test('repeated, early and out-of-order callbacks change only the timing', async () => {
  const key = await paid(cards.refundLater)
  const refunding = refundingWith()
  const refund = await ask(refunding, key)
  const hint = { merchantId: key.merchantId, idempotencyKey: refund.id }
  assert.equal(await askAboutRefund(refunding, hint), 'asked')
  assert.equal(await stateOf(refund), 'submitted')
  till.forward(4 * secondMs)
  const byReference = { merchantId: key.merchantId, refundReference: refund.refund_reference ?? '' }
  for (const each of [byReference, hint, byReference])
    assert.equal(await askAboutRefund(refunding, each), 'asked')
  assert.equal(await stateOf(refund), 'succeeded')
  assert.deepEqual(await events(key), ['refund.success'])
  assert.equal(
    await askAboutRefund(refunding, { merchantId: key.merchantId, idempotencyKey: 'x' }),
    'not_found',
  )
  const away = refundingWith(till.with({ fetchRefund: lost }))
  assert.equal(await askAboutRefund(away, hint), 'no_answer')
})

test('a refund that succeeded and bounced is failed, and the payment is paid again without an announcement', async () => {
  const key = await paid()
  const refund = await ask(refundingWith(), key)
  assert.equal((await till.read(key)).state, 'refunded')
  const bounced = refundingWith(
    till.with({ fetchRefund: async () => ({ kind: 'failed', reason: 'account_closed' }) }),
  )
  const hint = { merchantId: key.merchantId, idempotencyKey: refund.id }
  for (let times = 0; times < 2; times += 1) await askAboutRefund(bounced, hint)
  assert.equal(await stateOf(refund), 'failed')
  const payment = await till.read(key)
  assert.equal(payment.state, 'success')
  assert.equal(payment.refunded_minor, 0n)
  assert.deepEqual((await events(key)).toSorted(), ['refund.failed', 'refund.success'])
  const paidEvents = await till.db.query(sql`
    select event from deliveries where number = ${key.number} and kind = 'ipn' and event = 'payment.success'`)
  assert.equal(paidEvents.length, 1)
})

test('a failed refund that succeeds after all is counted, unless its money was refunded otherwise', async () => {
  const key = await paid()
  const refuses = refundingWith(till.with({ refund: async () => ({ kind: 'failed', reason: 'not_now' }) }))
  const refund = await ask(refuses, key, 1_000n)
  assert.equal(refund.state, 'failed')
  const says = refundingWith(
    till.with({ fetchRefund: async () => ({ kind: 'succeeded', refundReference: 'r' }) }),
  )
  const hint = { merchantId: key.merchantId, idempotencyKey: refund.id }
  await askAboutRefund(says, hint)
  assert.equal(await stateOf(refund), 'succeeded')
  assert.equal((await till.read(key)).refunded_minor, 1_000n)

  const other = await paid()
  const failed = await ask(refuses, other)
  await ask(refundingWith(), other)
  await askAboutRefund(says, { merchantId: other.merchantId, idempotencyKey: failed.id })
  assert.equal(await stateOf(failed), 'failed')
  assert.match(till.log(), /check it by hand/)
})

test('a disputed payment isn’t refunded', async () => {
  const key = await paid()
  await till.db.query(sql`
    update payments set dispute = '{"state":"evidence_due"}' where merchant_id = ${key.merchantId} and number = ${key.number}`)
  await assert.rejects(ask(refundingWith(), key), { code: 'not_refundable' })
  assert.equal((await till.read(key)).refunds, 0)
})

test('a payment on a network’s own page is refunded the same way', async () => {
  const key = await till.newPayment()
  await till.payer.choose(key, byBank, 'en')
  await till.onPage(key, 'pay')
  await till.payer.lookAgain(key, 'from_the_page')
  assert.equal((await till.read(key)).state, 'success')
  assert.equal((await ask(refundingWith(), key, 450n)).state, 'succeeded')
  assert.equal(await till.bankKeeps(key), 123_000n)
  assert.equal((await ask(refundingWith(), key)).state, 'succeeded')
  assert.equal(await till.bankKeeps(key), 0n)
  assert.equal((await till.read(key)).state, 'refunded')
})
