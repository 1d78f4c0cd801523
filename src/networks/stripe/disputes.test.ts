import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import { openStripe } from '../../../test/support/networks/open-networks.ts'
import type { Dispute } from '../../../test/support/networks/stripe-books.ts'
import type { HostedOrder } from '../../core/networks/hosted.ts'

const never = new AbortController().signal

let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
})
after(() => world.close())

async function paid(): Promise<{ order: HostedOrder; session: string; charge: string }> {
  const made = makeOrder({ connector: world.connector, currency: 'GBP', method: 'card' }, 1_999n)
  const order = { ...made, startedAt: world.now() }
  const page = { ...makePage(), expiresAt: new Date(world.now().getTime() + 3_600_000) }
  const opened = await world.connector.open(world.account, order, page, never)
  assert.equal(opened.kind, 'open')
  const session = opened.connectorReference
  world.network.act(session, 'pay')
  const status = await world.connector.fetch(world.account, { ...order, connectorReference: session }, never)
  assert.equal(status.kind, 'charged')
  return { order, session, charge: status.chargeReference }
}

test('a dispute needs evidence until it is won or lost, and says where the money is', async () => {
  const { order, session, charge } = await paid()
  const { id } = world.network.dispute(session)
  const told = await world.connector.fetchDispute?.(world.account, id, never)
  assert.equal(told?.kind, 'evidence_due')
  assert.equal(told.moneyTaken, true)
  assert.equal(told.order?.merchantId, order.merchantId)
  assert.equal(told.order?.idempotencyKey, order.idempotencyKey)
  assert.equal(told.chargeReference, charge)
  assert.deepEqual(told.money, { amountMinor: 1_999n, currency: 'GBP' })
  assert.equal(
    told.evidenceDueAt?.getTime(),
    Math.floor(world.now().getTime() / 1_000) * 1_000 + 7 * 86_400_000,
  )
  world.network.endDispute(id, 'lost')
  const lost = await world.connector.fetchDispute?.(world.account, id, never)
  assert.deepEqual([lost?.kind, lost?.moneyTaken], ['lost', true])
  assert.equal(await world.connector.fetchDispute?.(world.account, 'du_unknown', never), undefined)
  const other = world.network.dispute(session)
  world.network.endDispute(other.id, 'won')
  const won = await world.connector.fetchDispute?.(world.account, other.id, never)
  assert.deepEqual([won?.kind, won?.moneyTaken], ['won', false])
})

test('an inquiry takes no money', async () => {
  const { session } = await paid()
  const { id } = world.network.dispute(session, 'inquiry')
  const told = await world.connector.fetchDispute?.(world.account, id, never)
  assert.deepEqual([told?.kind, told?.moneyTaken], ['evidence_due', false])
  const known = world.network.books.disputes.get(id)
  if (known) known.status = 'warning_under_review'
  const later = await world.connector.fetchDispute?.(world.account, id, never)
  assert.deepEqual([later?.kind, later?.moneyTaken], ['under_review', false])
})

type ExpectedDispute = readonly [kind: string, moneyTaken: boolean]

/** What each status of Stripe means while nothing is booked, once the money was taken, and once it was given back. */
const statuses: Readonly<
  Record<
    Dispute['status'],
    readonly [nothing: ExpectedDispute, taken: ExpectedDispute, back: ExpectedDispute]
  >
> = {
  warning_needs_response: [
    ['evidence_due', false],
    ['evidence_due', true],
    ['evidence_due', false],
  ],
  warning_under_review: [
    ['under_review', false],
    ['under_review', true],
    ['under_review', false],
  ],
  warning_closed: [
    ['won', false],
    ['won', true],
    ['won', false],
  ],
  needs_response: [
    ['evidence_due', false],
    ['evidence_due', true],
    ['evidence_due', false],
  ],
  under_review: [
    ['under_review', false],
    ['under_review', true],
    ['under_review', false],
  ],
  appeal_needs_response: [
    ['evidence_due', false],
    ['evidence_due', true],
    ['evidence_due', false],
  ],
  appeal_under_review: [
    ['under_review', false],
    ['under_review', true],
    ['under_review', false],
  ],
  won: [
    ['won', false],
    ['won', true],
    ['won', false],
  ],
  // Stripe may not tell the bookings of one that is old.
  lost: [
    ['lost', true],
    ['lost', true],
    ['lost', false],
  ],
  // Blocked; or the customer was given the money at once, for good.
  prevented: [
    ['won', false],
    ['lost', true],
    ['won', false],
  ],
}

for (const [status, [nothing, taken, back]] of Object.entries(statuses)) {
  test(`a dispute with status ${status} at Stripe is read, with where the money is`, async () => {
    const { session } = await paid()
    const dispute = world.network.dispute(session, 'inquiry')
    dispute.status = status as Dispute['status']
    const read = async (): Promise<ExpectedDispute> => {
      const told = await world.connector.fetchDispute?.(world.account, dispute.id, never)
      return told ? [told.kind, told.moneyTaken] : assert.fail()
    }
    assert.deepEqual(await read(), nothing)
    dispute.balance_transactions.push({ amount: -dispute.amount })
    assert.deepEqual(await read(), taken)
    // Another rate: a few pence less came back.
    dispute.balance_transactions.push({ amount: dispute.amount - 7 })
    assert.deepEqual(await read(), back)
  })
}

test('an unknown new Stripe status counts as under review and decides nothing', async () => {
  const { session } = await paid()
  const dispute = world.network.dispute(session, 'inquiry')
  dispute.status = 'something_new' as Dispute['status']
  assert.equal((await world.connector.fetchDispute?.(world.account, dispute.id, never))?.kind, 'under_review')
})

test('all disputes since a moment are listed, newest first, including the first second', async () => {
  const { session } = await paid()
  const earlier = world.network.dispute(session)
  world.goOn(1_000)
  const since = world.now()
  const made: string[] = []
  for (let each = 0; each < 230; each += 1) {
    made.unshift(world.network.dispute(session, 'inquiry').id)
    if (each % 50 === 49) world.goOn(3_600_000)
  }
  const listed = await Array.fromAsync(world.connector.disputesSince?.(world.account, since, never) ?? [])
  assert.deepEqual(listed, made)
  assert.ok(!listed.includes(earlier.id))
  const asked = world.network.requests.filter(({ path }) => path === '/v1/disputes')
  assert.ok(asked.every(({ query }) => query.has('created[gte]') && query.get('limit') === '100'))
})
