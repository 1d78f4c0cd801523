import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPaid, openStripe } from '../../../test/support/networks/open-networks.ts'
import type { Refund } from '../../../test/support/networks/stripe-books.ts'
import type { RefundOrder, RefundStatus } from '../../core/networks/hosted.ts'
import { NoAnswer } from '../../core/networks/no-answer.ts'

const never = new AbortController().signal
const hourMs = 3_600_000

let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
})
after(() => world.close())

const send = async (refund: RefundOrder): Promise<RefundStatus> =>
  world.connector.refund(world.account, refund, never)
const find = async (refund: RefundOrder): Promise<RefundStatus> =>
  world.connector.fetchRefund(world.account, refund, never)

/** As many as were made by hand in Stripe's dashboard, of this payment or another. */
function addRefunds(count: number, paymentIntent: string): void {
  for (let each = 0; each < count; each += 1) {
    const id = `re_by_hand_${world.network.books.refunds.size}`
    const made: Refund = {
      id,
      object: 'refund',
      amount: 1,
      currency: 'gbp',
      created: world.network.books.seconds(),
      metadata: {},
      payment_intent: paymentIntent,
      charge: 'ch_1',
      status: 'succeeded',
    }
    world.network.books.refunds.set(id, made)
  }
}

function sentCount(method: string): number {
  return world.network.requests.filter((one) => one.path === '/v1/refunds' && one.method === method).length
}

test('a refund whose response was lost is found behind 200 newer ones, so it is never paid again', async () => {
  const { refund } = await openPaid(world)
  const { refund: other } = await openPaid(world)
  const made = await send(refund)
  assert.equal(made.kind, 'succeeded')
  addRefunds(150, refund.chargeReference)
  addRefunds(150, other.chargeReference)
  addRefunds(100, refund.chargeReference)
  const listedBefore = sentCount('GET')
  assert.deepEqual(await find(refund), made)
  assert.equal(sentCount('GET') - listedBefore, 3, 'pages of a hundred of this payment alone')
  assert.deepEqual(await find(other), { kind: 'not_found' })
})

test('an empty page that claims there is more is no answer, as later pages may hold our refund', async () => {
  const { refund } = await openPaid(world)
  const { network, account } = world
  const empty = { object: 'list', url: '/v1/refunds', data: [], has_more: true }
  void network.turn({ kind: 'says', body: empty }, { path: /refunds$/ })
  await assert.rejects(world.connector.fetchRefund(account, refund, never), NoAnswer)
})

test('a refund of a payment unknown to Stripe fails, and is not found', async () => {
  const { refund } = await openPaid(world)
  const stray = { ...refund, chargeReference: 'pi_of_another_account' }
  assert.deepEqual(await send(stray), { kind: 'failed', reason: 'resource_missing' })
  assert.deepEqual(await find(stray), { kind: 'not_found' })
})

const statuses: Readonly<Record<string, Omit<RefundStatus, 'refundReference'>>> = {
  pending: { kind: 'submitted' },
  requires_action: { kind: 'submitted' },
  succeeded: { kind: 'succeeded' },
  failed: { kind: 'failed', reason: 'failed' } as RefundStatus,
  canceled: { kind: 'failed', reason: 'canceled' } as RefundStatus,
  something_new: { kind: 'submitted' },
}

for (const [status, told] of Object.entries(statuses)) {
  test(`a refund that is ${status} at Stripe is ${told.kind}`, async () => {
    const { refund } = await openPaid(world)
    const made = await send(refund)
    assert.equal(made.kind, 'succeeded')
    const { refundReference } = made
    const there = world.network.books.refunds.get(refundReference) ?? assert.fail()
    there.status = status as Refund['status']
    assert.deepEqual(await find({ ...refund, refundReference }), { ...told, refundReference })
    assert.deepEqual(await find(refund), { ...told, refundReference }, 'by our key alone')
  })
}

test('a refund waiting for the customer is submitted until done or cancelled, with Stripe’s reason', async () => {
  world.network.refundsAre = 'requires_action'
  for (const [end, told] of [
    ['succeeded', { kind: 'succeeded' }],
    ['failed', { kind: 'failed', reason: 'expired_or_canceled_card' }],
    ['canceled', { kind: 'failed', reason: 'canceled' }],
  ] as const) {
    const { refund } = await openPaid(world)
    const submitted = await send(refund)
    assert.equal(submitted.kind, 'submitted')
    const { refundReference } = submitted
    world.network.endRefund(refundReference, end)
    assert.deepEqual(await find({ ...refund, refundReference }), { ...told, refundReference })
  }
  world.network.refundsAre = 'succeeded'
})

test('a refund is sent until it is 23 hours old, and only looked up after that', async () => {
  const [young, old] = [(await openPaid(world)).refund, (await openPaid(world)).refund]
  const sentBefore = sentCount('POST')
  world.goOn(23 * hourMs)
  assert.equal((await send(young)).kind, 'succeeded')
  assert.equal(sentCount('POST') - sentBefore, 1)
  world.goOn(1)
  assert.deepEqual(await send(old), { kind: 'not_found' })
  assert.equal((await send(young)).kind, 'succeeded', 'what was made is found')
  assert.equal(sentCount('POST') - sentBefore, 1)
})

test('a refund whose Stripe id is known is never sent again', async () => {
  const { refund } = await openPaid(world)
  const sentBefore = sentCount('POST')
  assert.deepEqual(await send({ ...refund, refundReference: 're_unknown' }), { kind: 'not_found' })
  assert.equal(sentCount('POST'), sentBefore)
})

test('a refund of an amount that Stripe can’t express fails without a call', async () => {
  const { refund } = await openPaid(world)
  const askedBefore = world.network.requests.length
  const told = await send({ ...refund, amountMinor: 1_234n, currency: 'KWD' })
  assert.deepEqual(told, { kind: 'failed', reason: 'amount_not_possible' })
  assert.equal(world.network.requests.length, askedBefore)
})
