import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BillingRequest, PaymentStatus } from '../../../test/support/networks/gocardless-books.ts'
import { openGoCardless, openPage, openPaid } from '../../../test/support/networks/open-networks.ts'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import type { HostedOrder } from '../../core/networks/hosted.ts'

const never = new AbortController().signal
const minuteMs = 60_000

let world: Awaited<ReturnType<typeof openGoCardless>>
before(async () => {
  world = await openGoCardless()
})
after(() => world.close())

const kindOf = async (order: HostedOrder): Promise<string> =>
  (await world.connector.fetch(world.account, order, never)).kind

const payments: Readonly<Record<PaymentStatus, 'pending' | 'charged' | 'declined'>> = {
  pending_customer_approval: 'pending',
  pending_submission: 'pending',
  submitted: 'pending',
  confirmed: 'charged',
  paid_out: 'charged',
  charged_back: 'charged',
  cancelled: 'declined',
  customer_approval_denied: 'declined',
  failed: 'declined',
}

for (const [status, kind] of Object.entries(payments)) {
  test(`an order whose payment is ${status} at GoCardless is ${kind}`, async () => {
    const { order, refund } = await openPaid(world)
    const payment = world.network.books.payments.get(refund.chargeReference) ?? assert.fail()
    payment.status = status as PaymentStatus
    assert.equal(await kindOf(order), kind)
  })
}

const requests: Readonly<Record<BillingRequest['status'], 'open' | 'pending' | 'declined'>> = {
  pending: 'open',
  ready_to_fulfil: 'pending',
  fulfilling: 'pending',
  fulfilled: 'pending',
  cancelled: 'declined',
}

for (const [status, kind] of Object.entries(requests)) {
  test(`a billing request without a payment that is ${status} is ${kind}`, async () => {
    const { order, reference } = await openPage(world)
    const request = world.network.books.requests.get(reference) ?? assert.fail()
    request.status = status as BillingRequest['status']
    assert.equal(await kindOf(order), kind)
  })
}

test('an order whose response was lost is searched from ten minutes before it was sent', async () => {
  for (const [aheadMs, found] of [
    [10 * minuteMs, 'open'],
    [10 * minuteMs + 1, 'not_found'],
  ] as const) {
    const { order } = await openPage(world)
    const startedAt = new Date(world.now().getTime() + aheadMs)
    world.goOn(aheadMs)
    // Another order of the same moment: from what is older on nothing is read.
    await openPage(world)
    world.network.books.requests.set('BRQ_OLD', {
      ...(world.network.books.requests.get(order.connectorReference ?? '') ?? assert.fail()),
      id: 'BRQ_OLD',
      metadata: {},
    })
    assert.equal(await kindOf({ ...order, connectorReference: undefined, startedAt }), found, `${aheadMs} ms`)
    world.network.books.requests.delete('BRQ_OLD')
  }
})

test('a billing request whose flow is refused is cancelled, so nothing can be paid on it', async () => {
  const order = makeOrder({ connector: world.connector, currency: 'GBP', method: 'bank' })
  void world.network.turn({ kind: 'refuses' }, { path: /billing_request_flows$/ })
  const opened = await world.connector.open(world.account, order, makePage(), never)
  assert.equal(opened.kind, 'refused')
  assert.equal([...world.network.books.requests.values()].at(-1)?.status, 'cancelled')
})
