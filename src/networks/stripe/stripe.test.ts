import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keepsTheHostedContract, type UnderHostedContract } from '../../../test/support/hosted-contract.ts'
import { makeOrder, makePage, newRefundKey, withReference } from '../../../test/support/hosted-orders.ts'
import { openStripe } from '../../../test/support/networks/open-networks.ts'
import type { StripeStandIn } from '../../../test/support/networks/stripe.ts'
import type { HostedOrder, HostedStatus, RefundOrder } from '../../core/networks/hosted.ts'

// Stripe's own SDK against a Stripe of ours that checks every field.

const never = new AbortController().signal

keepsTheHostedContract('Stripe', async (): Promise<UnderHostedContract> => {
  const { network, connector, account, close } = await openStripe()
  return {
    connector,
    account,
    stranger: { ...account, credentials: { secret_key: 'sk_test_of_somebody_else' } },
    currency: 'GBP',
    method: 'card',
    async pay({ connectorReference }) {
      const status = network.books.find(connectorReference)?.status
      network.act(connectorReference, 'pay')
      return status === 'open'
    },
    async refuse({ connectorReference }) {
      network.act(connectorReference, 'decline')
    },
    timesCharged: async (order) => bookings(network, order, 'charge').length,
    async refundedMinor(order) {
      const intents = bookings(network, order, 'charge').map(({ source }) => intentOf(source))
      return network.books.bookings
        .filter(({ type, source }) => type === 'refund' && intents.includes(intentOf(source)))
        .reduce((sum, { amount }) => sum - BigInt(amount), 0n)
    },
    close,
  }
})

function bookings(network: StripeStandIn, order: HostedOrder, type: string) {
  return network.books.bookings.filter(
    (booking) =>
      booking.type === type &&
      (booking.source as { metadata: Record<string, string> }).metadata['florin_key'] ===
        order.idempotencyKey,
  )
}

function intentOf(source: object): string {
  return (source as { payment_intent: string }).payment_intent
}

// Beyond the contract.

let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
})
after(() => world.close())

const newOrder = (amountMinor = 1_999n, currency = 'GBP'): HostedOrder => ({
  ...makeOrder({ connector: world.connector, currency, method: 'card' }, amountMinor),
  startedAt: world.now(),
})
const newPage = () => ({ ...makePage(), expiresAt: new Date(world.now().getTime() + 3_600_000) })
async function opened(order = newOrder()): Promise<HostedOrder & { connectorReference: string }> {
  const page = await world.connector.open(world.account, order, newPage(), never)
  assert.equal(page.kind, 'open')
  return { ...order, connectorReference: page.connectorReference }
}
const fetched = async (order: HostedOrder): Promise<HostedStatus> =>
  world.connector.fetch(world.account, order, never)

test('a session shows who is paid for what, in the customer’s language, and carries our ids', async () => {
  const order = await opened()
  const session = world.network.books.sessions.get(order.connectorReference)
  const expected = {
    florin_merchant: '12345678',
    florin_payment: order.paymentNumber,
    florin_key: order.idempotencyKey,
  }
  assert.deepEqual(session?.metadata, expected)
  assert.deepEqual(world.network.books.intents.get(order.connectorReference)?.metadata, expected)
  assert.equal(session.client_reference_id, `12345678-${order.paymentNumber}`)
  assert.equal(session.customer_email, 'ada@example.com')
  const sent = world.network.requests.findLast(({ method }) => method === 'POST')
  assert.equal(sent?.headers['idempotency-key'], order.idempotencyKey)
  assert.equal(sent.headers['stripe-version'], '2026-10-28.endive')
  assert.equal(sent.headers['x-stripe-client-telemetry'], undefined)
  assert.match(sent.text, /locale=de\b/)
  assert.match(sent.text, /adaptive_pricing\[enabled\]=false|adaptive_pricing%5Benabled%5D=false/)
})

test('a page lives between half an hour and a day, whatever was requested', async () => {
  for (const [askedMs, leastMs, mostMs] of [
    [60_000, 30 * 60_000, 40 * 60_000],
    [7 * 86_400_000, 23 * 3_600_000, 86_400_000],
  ] as const) {
    const order = newOrder()
    const page = { ...newPage(), expiresAt: new Date(world.now().getTime() + askedMs) }
    const made = await world.connector.open(world.account, order, page, never)
    assert.equal(made.kind, 'open')
    const session = world.network.books.sessions.get(made.connectorReference)
    const lifeMs = (session?.expires_at ?? 0) * 1_000 - world.now().getTime()
    assert.ok(lifeMs > leastMs && lifeMs < mostMs, `${lifeMs} ms`)
  }
})

test('an expired page can’t be paid, and says so', async () => {
  const order = await opened()
  world.goOn(2 * 3_600_000)
  assert.deepEqual(await fetched(order), { kind: 'declined', reason: 'challenge_abandoned' })
  assert.deepEqual(await world.connector.withdraw(world.account, order, never), {
    kind: 'declined',
    reason: 'challenge_abandoned',
  })
})

test('the page of an idempotency key is found again even if its details have changed', async () => {
  const order = newOrder()
  const first = await world.connector.open(world.account, order, newPage(), never)
  const page = { ...newPage(), language: 'fr', description: 'Other words' }
  assert.deepEqual(await world.connector.open(world.account, order, page, never), first)
})

test('an order whose response was lost is found by our ids across several pages', async () => {
  const lost = newOrder()
  await opened(lost)
  for (let other = 0; other < 101; other += 1) await opened()
  const status = await fetched(lost)
  assert.equal(status.kind, 'open')
  world.network.act(status.connectorReference, 'pay')
  assert.equal((await fetched(lost)).kind, 'charged')
  assert.equal((await world.connector.withdraw(world.account, lost, never)).kind, 'charged')
})

test('a method that takes days is pending until it succeeds or fails', async () => {
  for (const end of ['succeeded', 'failed'] as const) {
    const order = await opened()
    world.network.act(order.connectorReference, 'pay_later')
    assert.deepEqual(await fetched(order), {
      kind: 'pending',
      connectorReference: order.connectorReference,
    })
    assert.equal((await world.connector.withdraw(world.account, order, never)).kind, 'pending')
    world.network.endLater(order.connectorReference, end)
    assert.equal((await fetched(order)).kind, end === 'succeeded' ? 'charged' : 'declined')
  }
})

test('amounts are sent in Stripe’s units and come back in ours', async () => {
  for (const [amountMinor, currency, units] of [
    [1_999n, 'GBP', 1_999],
    [500n, 'JPY', 500],
    [5n, 'ISK', 500],
    [5_120n, 'KWD', 5_120],
    [1_000n, 'MGA', 10],
  ] as const) {
    const order = await opened(newOrder(amountMinor, currency))
    assert.equal(world.network.books.sessions.get(order.connectorReference)?.amount_total, units, currency)
    world.network.act(order.connectorReference, 'pay')
    const status = await fetched(order)
    assert.equal(status.kind, 'charged')
    assert.deepEqual(status.money, { amountMinor, currency })
  }
})

test('an amount that Stripe can’t express or finds too small is refused, and nothing is created', async () => {
  for (const [amountMinor, currency] of [
    [5_124n, 'KWD'],
    [1_050n, 'MGA'],
    [29n, 'GBP'],
  ] as const) {
    const order = newOrder(amountMinor, currency)
    assert.equal((await world.connector.open(world.account, order, newPage(), never)).kind, 'refused')
    assert.deepEqual(await fetched(order), { kind: 'not_found' })
  }
})

async function refundOf(order: HostedOrder & { connectorReference: string }): Promise<RefundOrder> {
  world.network.act(order.connectorReference, 'pay')
  const status = await fetched(order)
  assert.equal(status.kind, 'charged')
  const { connectorReference, chargeReference } = status
  return {
    ...newRefundKey(),
    merchantId: order.merchantId,
    requestedAt: world.now(),
    connectorReference,
    chargeReference,
    amountMinor: 500n,
    currency: 'GBP',
    refundedBeforeMinor: 0n,
    chargedMinor: 1_999n,
  }
}

test('a refund is submitted until it succeeds or fails, with the bank’s reason', async () => {
  world.network.refundsAre = 'pending'
  for (const end of ['succeeded', 'failed'] as const) {
    const refund = await refundOf(await opened())
    const submitted = await world.connector.refund(world.account, refund, never)
    assert.equal(submitted.kind, 'submitted')
    const { refundReference } = submitted
    world.network.endRefund(refundReference, end)
    const told = await world.connector.fetchRefund(world.account, { ...refund, refundReference }, never)
    const failed = { kind: 'failed', reason: 'expired_or_canceled_card', refundReference }
    assert.deepEqual(told, end === 'failed' ? failed : { kind: end, refundReference })
  }
  world.network.refundsAre = 'succeeded'
})

test('a day-old refund is looked up and never sent again', async () => {
  const refund = await refundOf(await opened())
  world.goOn(24 * 3_600_000)
  assert.deepEqual(await world.connector.refund(world.account, refund, never), { kind: 'not_found' })
  assert.equal(
    world.network.requests.filter(({ path, method }) => path === '/v1/refunds' && method === 'POST').length,
    2,
  )
})

test('movements list every balance transaction, oldest first, with fees and references', async () => {
  world.goOn(86_400_000)
  const since = world.now()
  const order = await opened()
  const refund = await refundOf(order)
  world.goOn(2 * 86_400_000)
  await world.connector.refund(world.account, { ...refund, requestedAt: world.now() }, never)
  const movements = []
  for await (const movement of world.connector.movements?.(world.account, since, never) ?? [])
    movements.push(movement)
  assert.deepEqual(
    movements.map(({ kind, money, feeMinor, chargeReference, idempotencyKey }) => ({
      kind,
      amount: money.amountMinor,
      feeMinor,
      chargeReference,
      idempotencyKey,
    })),
    [
      {
        kind: 'charge',
        amount: 1_999n,
        feeMinor: 50n,
        chargeReference: refund.chargeReference,
        idempotencyKey: order.idempotencyKey,
      },
      {
        kind: 'refund',
        amount: -500n,
        feeMinor: 0n,
        chargeReference: refund.chargeReference,
        idempotencyKey: refund.idempotencyKey,
      },
    ],
  )
})

test('check names the account, and says whether callbacks are set up', async () => {
  const url = 'https://pay.example.com/callbacks/stripe/acc_1'
  const works = {
    kind: 'works',
    accountName: 'Corner shop (acct_standin)',
    sandbox: true,
    marks: ['visa', 'mastercard', 'amex', 'apple_pay'],
  }
  assert.deepEqual(await world.connector.check(world.account, url, never), {
    ...works,
    callbacks: 'missing',
  })
  const first = await world.connector.setUpCallback?.(world.account, url, never)
  assert.match(first?.['webhook_secret'] ?? '', /^whsec_/)
  assert.deepEqual(await world.connector.check(world.account, url, never), {
    ...works,
    callbacks: 'set_up',
  })
  const second = await world.connector.setUpCallback?.(world.account, url, never)
  assert.notEqual(second?.['webhook_secret'], first?.['webhook_secret'])
  assert.equal(world.network.books.endpoints.size, 1, 'the endpoint before is gone')
})

test('a reference unknown to Stripe is not found', async () => {
  assert.deepEqual(await fetched(withReference(newOrder(), { connectorReference: 'cs_test_none' })), {
    kind: 'not_found',
  })
})
