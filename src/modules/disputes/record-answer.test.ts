import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { disputeStatus } from '../../../test/support/dispute-desk.ts'
import { openRefundDesk } from '../../../test/support/refund-desk.ts'
import { openTill, type Till } from '../../../test/support/till.ts'
import type { DisputeStatus } from '../../core/networks/connector.ts'
import type { Payable } from '../../core/payments/attempts/pay.ts'
import { lossOf } from '../../core/payments/disputed/loss.ts'
import { openDispute } from './record-answer.ts'

// What refunds and disputes of one payment come to together.

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

/** A dispute of the whole payment of £1,234.50, unless it says otherwise. */
async function open({ merchantId, number }: Payable, reference: string, amountMinor = whole): Promise<void> {
  const status: DisputeStatus = disputeStatus(
    { reference, charge: reference },
    { money: { amountMinor, currency: 'GBP' } },
  )
  const asked = { merchantId, connector: 'test-network', accountId: 'acc_test-network', reference }
  assert.ok(await openDispute(till.paying, { asked, number, status }))
}

const whole = 123_450n
const loss = async (key: Payable): Promise<bigint> => lossOf(await till.read(key)).lossMinor

test('a refund in flight when the bank took the money counts once it succeeds, until it bounces', async () => {
  const desk = openRefundDesk(till)
  const key = await desk.paid()
  const refund = await desk.request(key, 450n)
  await open(key, 'under-way')
  assert.equal(await loss(key), 0n)
  await desk.apply(refund, { kind: 'submitted', refundReference: 'ref' })
  assert.equal(await loss(key), 0n)
  assert.doesNotMatch(till.log(), /it made a loss/)
  await desk.apply(refund, { kind: 'succeeded', refundReference: 'ref' })
  assert.equal(await loss(key), 450n)
  assert.match(till.log(), /it made a loss/)
  await desk.apply(refund, { kind: 'failed', reason: 'bounced', refundReference: 'ref' })
  assert.equal(await loss(key), 0n)
  assert.equal((await till.read(key)).state, 'reversed')
})

test('two disputes of one payment add up', async () => {
  const desk = openRefundDesk(till)
  const key = await desk.paid()
  await desk.apply(await desk.request(key, 450n), { kind: 'succeeded', refundReference: 'ref' })
  await open(key, 'one', 100_000n)
  assert.equal(await loss(key), 0n)
  await open(key, 'another', 23_450n)
  assert.equal(await loss(key), 450n)
})
