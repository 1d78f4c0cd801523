import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Refund } from '../../../test/support/networks/gocardless-books.ts'
import { openGoCardless, openPaid } from '../../../test/support/networks/open-networks.ts'
import type { RefundOrder, RefundStatus } from '../../core/networks/hosted.ts'

const never = new AbortController().signal
const hourMs = 3_600_000

let world: Awaited<ReturnType<typeof openGoCardless>>
before(async () => {
  world = await openGoCardless()
})
after(() => world.close())

const send = async (refund: RefundOrder): Promise<RefundStatus> =>
  world.connector.refund(world.account, refund, never)
const find = async (refund: RefundOrder): Promise<RefundStatus> =>
  world.connector.fetchRefund(world.account, refund, never)

function addRefunds(count: number, payment: string): void {
  const { refunds, now } = world.network.books
  for (let each = 0; each < count; each += 1) {
    const id = `RF_BY_HAND_${refunds.size}`
    const made: Refund = {
      id,
      created_at: now(),
      amount: 1,
      currency: 'GBP',
      metadata: {},
      links: { payment },
      status: 'paid',
    }
    refunds.set(id, made)
  }
}

function sentCount(method: string): number {
  return world.network.requests.filter((one) => one.path === '/refunds' && one.method === method).length
}

test('a refund whose response was lost is found behind 200 newer ones, so it is never paid again', async () => {
  const { refund } = await openPaid(world)
  const { refund: other } = await openPaid(world)
  const made = await send(refund)
  assert.equal(made.kind, 'submitted')
  addRefunds(150, refund.chargeReference)
  addRefunds(150, other.chargeReference)
  addRefunds(100, refund.chargeReference)
  const listedBefore = sentCount('GET')
  assert.deepEqual(await find(refund), made)
  assert.equal(sentCount('GET') - listedBefore, 3, 'pages of a hundred of this payment alone')
  assert.deepEqual(await find(other), { kind: 'not_found' })
})

const statuses: Readonly<Record<Refund['status'], 'submitted' | 'succeeded' | 'failed'>> = {
  created: 'submitted',
  pending_submission: 'submitted',
  submitted: 'submitted',
  paid: 'succeeded',
  cancelled: 'failed',
  bounced: 'failed',
  funds_returned: 'failed',
  failed: 'failed',
}

for (const [status, kind] of Object.entries(statuses)) {
  test(`a refund that is ${status} at GoCardless is ${kind}`, async () => {
    const { refund } = await openPaid(world)
    const made = await send(refund)
    assert.equal(made.kind, 'submitted')
    const { refundReference } = made
    if (status !== 'created')
      world.network.moveRefund(refundReference, status as Exclude<Refund['status'], 'created'>)
    const told = { kind, refundReference, ...(kind === 'failed' && { reason: status }) }
    assert.deepEqual(await find({ ...refund, refundReference }), told)
    assert.deepEqual(await find(refund), told, 'by our key alone')
    assert.deepEqual(await send(refund), told, 'sent again it is what it became')
  })
}

test('a refund of a payment unknown to GoCardless fails, and is not found', async () => {
  const { refund } = await openPaid(world)
  const stray = { ...refund, chargeReference: 'PM_OF_ANOTHER' }
  assert.deepEqual(await send(stray), { kind: 'failed', reason: 'resource_not_found' })
  assert.deepEqual(await find(stray), { kind: 'not_found' })
})

test('a refund is sent until it is 23 hours old, and only looked up after that', async () => {
  const [young, old] = [(await openPaid(world)).refund, (await openPaid(world)).refund]
  const sentBefore = sentCount('POST')
  world.goOn(23 * hourMs)
  assert.equal((await send(young)).kind, 'submitted')
  world.goOn(1)
  assert.deepEqual(await send(old), { kind: 'not_found' })
  assert.equal((await send(young)).kind, 'submitted', 'what was made is found')
  assert.equal(sentCount('POST') - sentBefore, 1)
})

test('the total sent to GoCardless includes earlier refunds', async () => {
  const { refund } = await openPaid(world)
  assert.equal((await send(refund)).kind, 'submitted')
  const second = { ...refund, idempotencyKey: 'second', amountMinor: 700n, refundedBeforeMinor: 500n }
  assert.equal((await send(second)).kind, 'submitted')
  const third = { ...second, idempotencyKey: 'third', amountMinor: 800n, refundedBeforeMinor: 1_200n }
  assert.deepEqual(await send(third), { kind: 'failed', reason: 'refund_amount_too_large' })
})
