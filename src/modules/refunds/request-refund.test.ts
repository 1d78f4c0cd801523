import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openRefundDesk, type RefundDesk } from '../../../test/support/refund-desk.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import { sql } from '../../platform/database/sql.ts'
import { bySystem } from '../../core/audit/audit.ts'
import type { Payable } from '../../core/payments/attempts/pay.ts'
import { requestRefund, type RefundRequest, type Requested } from './request-refund.ts'

// What may be refunded, and what a reference that comes again means.

let till: Till
let desk: RefundDesk
before(async () => {
  till = await openTill()
  desk = openRefundDesk(till)
  desk.says = { kind: 'submitted', refundReference: 'ref' }
})
after(() => till.close())

const whole = 123_450n

async function ask(key: Payable, request: Partial<RefundRequest>): Promise<Requested> {
  const asked = { refundRef: 'r', amountMinor: undefined, reason: undefined, ...request }
  return requestRefund(desk.refunding, await till.read(key), asked, bySystem)
}

async function change(key: Payable, state: string, dispute: string | null = null): Promise<void> {
  await till.db.query(sql`
    update payments set state = ${state}, dispute = ${dispute}
    where merchant_id = ${key.merchantId} and number = ${key.number}`)
}

test('the whole remainder can be refunded, and a penny more can’t', async () => {
  const key = await desk.paid()
  await desk.request(key, 100_000n)
  await assert.rejects(desk.request(key, 23_451n), {
    code: 'more_than_left',
    message: 'Only 234.50 GBP of this payment is left to refund',
  })
  assert.equal((await desk.request(key, 23_450n)).amount_minor, 23_450n)
  await assert.rejects(desk.request(key, 1n), { code: 'not_refundable' })
  await assert.rejects(desk.request(key), { code: 'not_refundable' })
  assert.equal(await desk.reserved(key), whole)
})

test('without an amount the remainder is refunded, not the full payment', async () => {
  const key = await desk.paid()
  await desk.request(key, 100_000n)
  const rest = await desk.request(key)
  assert.deepEqual([rest.amount_minor, rest.asked_all, rest.place], [23_450n, true, 2])
})

for (const [state, why] of [
  ['pending', /not paid/],
  ['failed', /failed/],
  ['cancelled', /cancelled/],
  ['expired', /expired/],
  ['reversed', /bank took the money back/],
] as const) {
  test(`a ${state} payment can’t be refunded, and the answer says why`, async () => {
    const key = state === 'reversed' ? await desk.paid() : await till.newPayment()
    if (state !== 'pending') await change(key, state)
    await assert.rejects(desk.request(key, 1n), { code: 'not_refundable', message: why })
    assert.equal(await desk.reserved(key), 0n)
  })
}

for (const [state, isRefundable] of [
  ['evidence_due', false],
  ['under_review', false],
  ['won', true],
  ['lost', true],
] as const) {
  test(`a paid payment whose dispute is ${state} is ${isRefundable ? '' : 'not '}refunded`, async () => {
    const key = await desk.paid()
    await change(key, 'success', JSON.stringify({ state }))
    if (isRefundable) assert.equal((await desk.request(key, 1n)).state, 'submitted')
    else await assert.rejects(desk.request(key, 1n), { code: 'not_refundable', message: /disputed/ })
  })
}

test('a repeated reference with the same refund returns the first one, and a different refund is refused', async () => {
  const [key, other] = [await desk.paid(), await desk.paid()]
  const first = await ask(key, { refundRef: 'again', amountMinor: 500n })
  assert.equal(first.isRepeat, false)
  const again = await ask(key, { refundRef: 'again', amountMinor: 500n, reason: 'Too late' })
  assert.deepEqual([again.isRepeat, again.refund.id], [true, first.refund.id])
  const taken = { code: 'refund_ref_taken' }
  await assert.rejects(ask(key, { refundRef: 'again', amountMinor: 501n }), taken)
  await assert.rejects(ask(key, { refundRef: 'again' }), taken, 'all is another amount')
  await assert.rejects(ask(other, { refundRef: 'again', amountMinor: 500n }), taken)
  assert.equal(await desk.reserved(key), 500n)
})

test('a refund of the remainder can be repeated without an amount or with it', async () => {
  const key = await desk.paid()
  await ask(key, { refundRef: 'part', amountMinor: 450n })
  const rest = await ask(key, { refundRef: 'rest' })
  for (const amountMinor of [undefined, 123_000n])
    assert.equal((await ask(key, { refundRef: 'rest', amountMinor })).refund.id, rest.refund.id)
  const whole2 = await desk.paid()
  const all = await ask(whole2, { refundRef: 'all', amountMinor: whole })
  assert.equal((await ask(whole2, { refundRef: 'all' })).refund.id, all.refund.id)
})

test('simultaneous requests with one reference create one refund', async () => {
  const key = await desk.paid()
  const asked = await Promise.all(
    Array.from({ length: 5 }, async () => ask(key, { refundRef: 'at-once', amountMinor: 7n })),
  )
  assert.equal(new Set(asked.map(({ refund }) => refund.id)).size, 1)
  assert.equal(asked.filter(({ isRepeat }) => !isRepeat).length, 1)
  assert.equal(await desk.reserved(key), 7n)
})
