import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPaid, openPayPal } from '../../../test/support/networks/open-networks.ts'

let world: Awaited<ReturnType<typeof openPayPal>>
before(async () => {
  world = await openPayPal()
})
after(() => world.close())

const never = new AbortController().signal
const dayMs = 86_400_000

test('the list of bookings is read to its end, over months, oldest first, with charges, refunds and withdrawals', async () => {
  const { network, connector, account } = world
  const start = world.now()
  const { order, refund } = await openPaid(world)
  world.goOn(40 * dayMs)
  await connector.refund(account, refund, never)
  world.goOn(dayMs)
  const out = network.payOut('7.00', 'GBP')
  world.goOn(1_000)
  const found = await Array.fromAsync(
    connector.movements?.(account, new Date(start.getTime() - dayMs), never) ?? [],
  )
  assert.deepEqual(
    found.map(({ kind, money, feeMinor }) => [kind, money.amountMinor, feeMinor]),
    [
      ['charge', 1_999n, 57n],
      ['refund', -500n, 0n],
      ['payout', -700n, 0n],
    ],
  )
  assert.equal(found[0]?.idempotencyKey, order.idempotencyKey)
  assert.equal(found[1]?.chargeReference, refund.chargeReference)
  const [payout] = await Array.fromAsync(connector.payouts?.(account, start, never) ?? [])
  assert.deepEqual(
    [payout?.reference, payout?.money.amountMinor, payout?.lines],
    [out.transaction_id, 700n, 'never'],
  )
  const lines = await Array.fromAsync(connector.bookings?.(account, start, never) ?? [])
  assert.deepEqual(
    lines.map(({ kind, grossMinor, feeMinor, paymentNumber }) => [kind, grossMinor, feeMinor, paymentNumber]),
    [
      ['payment', 1_999n, 57n, order.paymentNumber],
      ['refund', -500n, 0n, undefined],
    ],
  )
  assert.deepEqual(await connector.balance?.(account, never), [{ amountMinor: 742n, currency: 'GBP' }])
})

test('more bookings than a page holds are all found', async () => {
  const { network, connector, account } = world
  world.goOn(60 * dayMs)
  const since = world.now()
  for (let index = 0; index < 1_001; index += 1) network.payOut('0.01', 'EUR')
  world.goOn(1_000)
  const found = await Array.fromAsync(
    connector.movements?.(account, new Date(since.getTime() - 1_000), never) ?? [],
  )
  assert.equal(found.length, 1_001)
})

test('a dispute is open without taking the money, and lost or won with it', async () => {
  const { network, connector, account } = world
  for (const [outcome, kind, moneyTaken] of [
    ['RESOLVED_BUYER_FAVOUR', 'lost', true],
    ['RESOLVED_SELLER_FAVOUR', 'won', false],
    ['RESOLVED_WITH_PAYOUT', 'won', false],
  ] as const) {
    const { order, refund } = await openPaid(world)
    const { dispute_id } = network.disputed(refund.chargeReference)
    const open = await connector.fetchDispute?.(account, dispute_id, never)
    assert.deepEqual(
      [open?.kind, open?.moneyTaken, open?.reason],
      ['evidence_due', false, 'product_not_received'],
    )
    assert.equal(open?.order?.paymentNumber, order.paymentNumber)
    assert.equal(open.chargeReference, refund.chargeReference)
    network.decide(dispute_id, outcome)
    const decided = await connector.fetchDispute?.(account, dispute_id, never)
    assert.deepEqual([decided?.kind, decided?.moneyTaken], [kind, moneyTaken])
  }
  const captureId = [...network.books.captures.keys()][0] ?? ''
  for (let index = 0; index < 60; index += 1) network.disputed(captureId)
  const found = await Array.fromAsync(connector.disputesSince?.(account, new Date(0), never) ?? [])
  assert.equal(new Set(found).size, 63)
  assert.equal(await connector.fetchDispute?.(account, 'PP-D-0', never), undefined)
})
