import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder, makePage, newRefundKey } from '../../../test/support/hosted-orders.ts'
import { openPaid, openPaystack } from '../../../test/support/networks/open-networks.ts'
import { refundStatuses } from '../../../test/support/networks/paystack/books.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openPaystack>>
before(async () => {
  world = await openPaystack()
})
after(() => world.close())

function made(idempotencyKey: string): number {
  const notes = [...world.network.books.refunds.values()].map(({ merchant_note: note }) => note)
  return notes.filter((note) => note === `florin ${idempotencyKey}`).length
}

test('every refund status has one meaning', async () => {
  const { connector, account, network } = world
  const told = []
  for (const status of refundStatuses) {
    const { refund } = await openPaid(world)
    const sent = await connector.refund(account, refund, never)
    assert.equal(sent.kind, 'submitted')
    const { refundReference } = sent
    network.moveRefund(refundReference, status)
    const found = await connector.fetchRefund(account, { ...refund, refundReference }, never)
    assert.ok('refundReference' in found && found.refundReference === refundReference)
    told.push([status, found.kind])
  }
  assert.deepEqual(told, [
    ['pending', 'submitted'],
    ['processing', 'submitted'],
    ['processed', 'succeeded'],
    ['failed', 'failed'],
    ['needs-attention', 'submitted'],
  ])
})

test('a refund is in the currency of its transaction, also in francs, which can’t be named', async () => {
  const { connector, account, network } = world
  const order = makeOrder({ connector, currency: 'XOF', method: 'card' }, 2_500n)
  await connector.open(account, order, makePage(), never)
  network.act(order.idempotencyKey, 'pay')
  const { refund } = await openPaid(world)
  const francs = { ...refund, currency: 'XOF', chargeReference: order.idempotencyKey }
  assert.equal((await connector.refund(account, francs, never)).kind, 'submitted')
  const booked = [...network.books.refunds.values()].at(-1)
  assert.deepEqual([booked?.amount, booked?.currency], [50_000, 'XOF'])
})

test('a refund whose response was lost is found across several pages, and sent once', async () => {
  const { connector, account, network } = world
  const { refund } = await openPaid(world)
  void network.turn({ kind: 'cuts', when: 'after' }, { method: 'POST' })
  await assert.rejects(connector.refund(account, refund, never), NoAnswer)
  for (let other = 0; other < 100; other += 1) {
    const { refund: another } = await openPaid(world)
    await connector.refund(account, another, never)
  }
  world.goOn(31_000)
  assert.equal((await connector.refund(account, refund, never)).kind, 'submitted')
  assert.equal(made(refund.idempotencyKey), 1)
})

test('after a first try that may still be on its way, nothing is sent for half a minute', async () => {
  const { connector, account, network } = world
  const { refund } = await openPaid(world)
  void network.turn({ kind: 'cuts', when: 'before' }, { method: 'POST' })
  await assert.rejects(connector.refund(account, refund, never), NoAnswer)
  for (const ms of [5_000, 24_000]) {
    world.goOn(ms)
    await assert.rejects(connector.refund(account, refund, never), /may still be on its way/)
  }
  assert.equal(made(refund.idempotencyKey), 0)
  world.goOn(1_000)
  assert.equal((await connector.refund(account, refund, never)).kind, 'submitted')
  assert.equal(made(refund.idempotencyKey), 1)
})

test('a refund that is a day old is asked for and never sent again', async () => {
  const { connector, account } = world
  const { refund } = await openPaid(world)
  world.goOn(86_400_000)
  assert.deepEqual(await connector.refund(account, refund, never), { kind: 'not_found' })
  assert.equal(made(refund.idempotencyKey), 0)
})

test('a refund of more than is left is refused with Paystack’s reason', async () => {
  const { connector, account } = world
  const { refund } = await openPaid(world)
  const tooMuch = { ...refund, ...newRefundKey(), amountMinor: 2_000n }
  assert.deepEqual(await connector.refund(account, tooMuch, never), {
    kind: 'failed',
    reason: 'invalid_amount',
  })
})
