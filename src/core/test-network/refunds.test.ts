import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newRefundKey } from '../../../test/support/hosted-orders.ts'
import { cards, openTill, type Till } from '../../../test/support/till.ts'
import type { CardDetails, RefundOrder, RefundStatus } from '../networks/connector.ts'

// Refunds at the test network, by its own clock.

const never = new AbortController().signal
const whole = 123_450n

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

async function paidWith(card: CardDetails): Promise<RefundOrder> {
  const key = await till.newPayment()
  assert.equal((await till.payer.pay(key, card)).kind, 'paid')
  const chargeReference = (await till.attempts(key))[0]?.connector_reference ?? assert.fail()
  return {
    ...newRefundKey(),
    merchantId: key.merchantId,
    requestedAt: till.paying.now(),
    connectorReference: chargeReference,
    chargeReference,
    amountMinor: 1_000n,
    currency: 'GBP',
    refundedBeforeMinor: 0n,
    chargedMinor: whole,
  }
}

const refund = async (order: RefundOrder): Promise<RefundStatus> => till.network.refund(order, never)
const find = async (order: RefundOrder): Promise<string> =>
  (await till.network.fetchRefund(order, never)).kind
const other = (order: RefundOrder, amountMinor: bigint): RefundOrder => ({
  ...order,
  ...newRefundKey(),
  amountMinor,
})

for (const [card, end] of [
  ['refundLater', 'succeeded'],
  ['refundFails', 'failed'],
] as const) {
  test(`a refund of the card ${card} is undecided for three seconds and ${end} then`, async () => {
    const order = await paidWith(cards[card])
    assert.equal(await find(order), 'not_found')
    assert.equal((await refund(order)).kind, 'submitted')
    till.forward(2_999)
    assert.equal(await find(order), 'submitted')
    till.forward(1)
    assert.equal(await find(order), end)
    assert.equal((await refund(order)).kind, end, 'sent again it is what it became')
  })
}

test('a refund requested while the clock was ahead is still decided', async () => {
  const order = await paidWith(cards.refundLater)
  till.forward(86_400_000)
  await refund(order)
  till.rewind()
  assert.equal(await find(order), 'succeeded')
})

test('refunds can’t exceed the charge, however they are split', async () => {
  const order = await paidWith(cards.good)
  const tooMuch = { kind: 'failed', reason: 'more_than_was_charged' }
  assert.deepEqual(await refund(other(order, whole + 1n)), tooMuch)
  assert.equal((await refund(other(order, 123_000n))).kind, 'succeeded')
  assert.deepEqual(await refund(other(order, 451n)), tooMuch)
  assert.equal((await refund(other(order, 450n))).kind, 'succeeded')
  assert.deepEqual(await refund(other(order, 1n)), tooMuch)
})

test('a failed refund makes room for another one', async () => {
  const order = await paidWith(cards.refundFails)
  await refund(other(order, whole))
  assert.equal((await refund(other(order, whole))).kind, 'submitted')
})

test('a charge of another merchant or in another currency can’t be refunded', async () => {
  const order = await paidWith(cards.good)
  const stranger = { ...order, merchantId: order.merchantId + 1 }
  assert.deepEqual(await refund(stranger), { kind: 'failed', reason: 'no_such_charge' })
  assert.equal((await refund({ ...order, currency: 'EUR' })).kind, 'failed')
  assert.equal((await refund(order)).kind, 'succeeded')
})
