import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder, makePage, newRefundKey, withReference } from '../../../../test/support/hosted-orders.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import type { Account, HostedOrder, RefundOrder } from '../../networks/hosted.ts'
import { decide, type Decision } from './decide.ts'

// The test bank by its own clock.

const never = new AbortController().signal
const account: Account = { id: 'acc_test-bank', credentials: {}, sandbox: true }
const hourMs = 3_600_000

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

async function opened(): Promise<HostedOrder> {
  const made = makeOrder({ connector: till.bank, currency: 'GBP', method: 'bank' })
  const order = { ...made, merchantId: till.merchantId }
  const page = { ...makePage(), expiresAt: new Date(till.paying.now().getTime() + hourMs) }
  const answer = await till.bank.open(account, order, page, never)
  assert.equal(answer.kind, 'open')
  return withReference(order, answer)
}

async function onPage(
  { merchantId, connectorReference = '' }: HostedOrder,
  decision: Decision,
): Promise<boolean> {
  return decide(till.db, { merchantId, reference: connectorReference }, decision, till.paying.now())
}

const kindOf = async (order: HostedOrder): Promise<string> =>
  (await till.bank.fetch(account, order, never)).kind

test('a page can be paid until it expires', async () => {
  const [order, late] = [await opened(), await opened()]
  till.forward(hourMs - 1)
  assert.equal(await kindOf(order), 'open')
  assert.equal(await onPage(order, 'pay'), true)
  till.forward(1)
  assert.equal(await kindOf(order), 'charged')
  assert.equal(await kindOf(late), 'declined')
  assert.equal(await onPage(late, 'pay'), false)
})

test('a payment the bank decides later is pending for three seconds', async () => {
  const order = await opened()
  await onPage(order, 'pay_later')
  till.forward(2_999)
  assert.equal(await kindOf(order), 'pending')
  till.forward(1)
  assert.equal(await kindOf(order), 'charged')
})

test('the first decision on a page counts, and a withdrawn page stays withdrawn', async () => {
  const [refused, withdrawn] = [await opened(), await opened()]
  assert.deepEqual([await onPage(refused, 'refuse'), await onPage(refused, 'pay')], [true, false])
  assert.equal(await kindOf(refused), 'declined')
  await till.bank.withdraw(account, withdrawn, never)
  assert.equal(await onPage(withdrawn, 'pay'), false)
  assert.equal(await kindOf(withdrawn), 'declined')
})

test('refunds can’t exceed the payment, and an unpaid page has none', async () => {
  const [order, unpaid] = [await opened(), await opened()]
  await onPage(order, 'pay')
  const refund = async (of: HostedOrder, amountMinor: bigint, currency = 'GBP'): Promise<string> => {
    const chargeReference = of.connectorReference ?? ''
    const asked: RefundOrder = {
      ...newRefundKey(),
      merchantId: of.merchantId,
      requestedAt: till.paying.now(),
      connectorReference: chargeReference,
      chargeReference,
      amountMinor,
      currency,
      refundedBeforeMinor: 0n,
      chargedMinor: 1_999n,
    }
    return (await till.bank.refund(account, asked, never)).kind
  }
  assert.equal(await refund(order, 2_000n), 'failed')
  assert.equal(await refund(order, 1_000n, 'EUR'), 'failed')
  assert.equal(await refund(order, 1_000n), 'succeeded')
  assert.equal(await refund(order, 1_000n), 'failed')
  assert.equal(await refund(order, 999n), 'succeeded')
  assert.equal(await refund(unpaid, 1n), 'failed')
})

test('the test bank never moves real money', async () => {
  assert.equal(till.bank.isSandbox({}), true)
  const checked = await till.bank.check(account, 'https://pay.example.com', never)
  assert.equal(checked.kind === 'works' && checked.sandbox, true)
})
