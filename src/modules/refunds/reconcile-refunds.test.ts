import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { forgetRefunds, openRefundDesk, type RefundDesk } from '../../../test/support/refund-desk.ts'
import { dayMs, hourMs, minuteMs, openTill, secondMs, type Till } from '../../../test/support/till.ts'
import { sql } from '../../platform/database/sql.ts'
import { askAboutRefund } from './ask-about-refund.ts'
import type { RefundRow } from './store.ts'

// When a network is asked about a refund, and for how long.

let till: Till
let desk: RefundDesk
before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(async () => {
  till.rewind()
  await forgetRefunds(till)
  desk = openRefundDesk(till)
})

const pending = { kind: 'submitted', refundReference: 'ref' } as const
const succeeded = { kind: 'succeeded', refundReference: 'ref' } as const

async function submitted(): Promise<RefundRow> {
  desk.says = pending
  const refund = await desk.request(await desk.paid(), 1_000n)
  assert.equal(refund.state, 'submitted')
  desk.asked.length = 0
  return refund
}

test('an undecided network is asked less and less often, never too early', async () => {
  await submitted()
  for (const pauseMs of [
    5 * secondMs,
    15 * secondMs,
    minuteMs,
    5 * minuteMs,
    15 * minuteMs,
    hourMs,
    hourMs,
  ]) {
    till.forward(pauseMs - 1)
    assert.equal(await desk.work(), 0, `${pauseMs - 1} ms`)
    till.forward(1)
    assert.equal(await desk.work(), 1, `${pauseMs} ms`)
  }
})

test('a network is asked for seven days after the refund was sent, then a person is told', async () => {
  const refund = await submitted()
  till.forward(7 * dayMs - 1)
  assert.equal(await desk.work(), 1)
  assert.notEqual((await desk.read(refund)).next_check_at, null)
  assert.doesNotMatch(till.log(), /did not decide a refund within seven days/)
  till.forward(hourMs)
  assert.equal(await desk.work(), 1)
  assert.equal((await desk.read(refund)).next_check_at, null)
  assert.match(till.log(), /did not decide a refund within seven days; check it by hand/)
  till.forward(dayMs)
  assert.equal(await desk.work(), 0)
  desk.says = succeeded
  const hint = { merchantId: refund.merchant_id, idempotencyKey: refund.id }
  assert.equal(await askAboutRefund(desk.refunding, hint), 'asked', 'a callback still makes us ask')
  assert.equal((await desk.read(refund)).state, 'succeeded')
})

test('a network that is down for weeks uses up no check, and is asked within half a minute of its return', async () => {
  const refund = await submitted()
  desk.says = undefined
  for (let week = 0; week < 3; week += 1) {
    till.forward(7 * dayMs)
    assert.equal(await desk.work(), 1)
  }
  assert.equal((await desk.read(refund)).checks, 0)
  desk.says = succeeded
  till.forward(30 * secondMs - 1)
  assert.equal(await desk.work(), 0, 'somebody may be asking')
  till.forward(1)
  assert.equal(await desk.work(), 1)
  assert.equal((await desk.read(refund)).state, 'succeeded')
})

test('a refund whose first answer was lost is checked five seconds later', async () => {
  const refund = await desk.request(await desk.paid(), 1_000n)
  desk.says = succeeded
  till.forward(5 * secondMs - 1)
  assert.equal(await desk.work(), 0)
  till.forward(1)
  assert.equal(await desk.work(), 1)
  assert.equal((await desk.read(refund)).state, 'succeeded')
})

test('a refund with a lost answer is resent for 23 hours, then only looked up', async () => {
  const refund = await desk.request(await desk.paid(), 1_000n)
  assert.equal(refund.state, 'requested')
  till.forward(23 * hourMs - 1)
  await desk.work()
  assert.deepEqual(desk.asked, ['refund', 'refund'])
  till.forward(30 * secondMs)
  await desk.work()
  assert.deepEqual(desk.asked, ['refund', 'refund', 'fetchRefund'])
})

test('a refund that waited days behind another is sent, with its own 23 hours and seven days', async () => {
  const key = await desk.paid()
  const first = await desk.request(key, 1_000n)
  const second = await desk.request(key, 500n)
  assert.deepEqual([first.state, second.sent_at], ['requested', null])
  till.forward(8 * dayMs)
  assert.equal(await desk.work(), 1, 'the first alone: the network must say what became of it')
  desk.asked.length = 0
  desk.says = pending
  await desk.apply(first, { kind: 'failed', reason: 'declined' })
  assert.equal(await desk.work(), 1)
  assert.deepEqual(desk.asked, ['refund'], 'sent, not looked for')
  assert.equal(desk.orders.at(-1)?.refundedBeforeMinor, 0n, 'what failed did not go back')
  till.forward(hourMs)
  await desk.work()
  assert.notEqual((await desk.read(second)).next_check_at, null, 'asked about for seven days from now')
})

test('a callback about an unsent refund sends nothing: a worker does, in its turn', async () => {
  const key = await desk.paid()
  await desk.request(key, 1_000n)
  const waiting = await desk.request(key, 500n)
  desk.asked.length = 0
  desk.says = succeeded
  const hint = { merchantId: key.merchantId, idempotencyKey: waiting.id }
  assert.equal(await askAboutRefund(desk.refunding, hint), 'asked')
  assert.deepEqual(desk.asked, [])
  assert.equal((await desk.read(waiting)).state, 'requested')
})

test('a check delayed a year by a wrong clock is due now', async () => {
  const refund = await submitted()
  await till.db.query(sql`
    update refunds set next_check_at = ${new Date(till.paying.now().getTime() + 365 * dayMs)}
    where merchant_id = ${refund.merchant_id} and id = ${refund.id}`)
  assert.equal(await desk.work(), 1)
})
