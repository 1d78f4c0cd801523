import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keepsTheHostedContract, type OpenPage } from '../../../test/support/hosted-contract.ts'
import { makeOrder, makePage, newRefundKey, withReference } from '../../../test/support/hosted-orders.ts'
import type { GoCardlessStandIn } from '../../../test/support/networks/gocardless.ts'
import { openGoCardless } from '../../../test/support/networks/open-networks.ts'
import type { HostedOrder, HostedStatus, Movement, RefundOrder } from '../../core/networks/hosted.ts'
import { wholeMinor } from './movements.ts'

const never = new AbortController().signal

keepsTheHostedContract('GoCardless', async () => {
  const { network, connector, account, close } = await openGoCardless()
  return {
    connector,
    account,
    stranger: { ...account, credentials: { access_token: 'sandbox_of_somebody_else' } },
    currency: 'GBP',
    method: 'bank',
    async pay(page) {
      const request = network.books.requests.get(page.connectorReference)
      const wasOpen = request?.status === 'pending'
      network.act(flowOf(page), 'pay')
      return wasOpen
    },
    async refuse(page) {
      network.act(flowOf(page), 'refuse')
    },
    timesCharged: async (order) => paymentsOf(network, order).length,
    async refundedMinor(order) {
      const ids = new Set(paymentsOf(network, order).map(({ id }) => id))
      return network.books.ledger
        .filter(({ kind, payment }) => kind === 'refund' && ids.has(payment))
        .reduce((sum, { amount }) => sum - BigInt(amount), 0n)
    },
    close,
  }
})

function flowOf({ url }: OpenPage): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

/** Those that took money, by the ledger. */
function paymentsOf({ books }: GoCardlessStandIn, order: HostedOrder) {
  return books.ledger
    .filter(({ kind }) => kind === 'payment')
    .map(({ payment }) => books.payments.get(payment))
    .filter((payment) => payment !== undefined)
    .filter(({ metadata }) => metadata['florin_key'] === order.idempotencyKey)
}

// Beyond the contract.

let world: Awaited<ReturnType<typeof openGoCardless>>
before(async () => {
  world = await openGoCardless()
})
after(() => world.close())

const newOrder = (currency = 'GBP'): HostedOrder => ({
  ...makeOrder({ connector: world.connector, currency, method: 'bank' }),
  startedAt: world.now(),
})
async function opened(order = newOrder()): Promise<OpenPage> {
  const page = await world.connector.open(world.account, order, makePage(), never)
  assert.equal(page.kind, 'open')
  return page
}
const fetched = async (order: HostedOrder): Promise<HostedStatus> =>
  world.connector.fetch(world.account, order, never)

test('a billing request describes the payment and carries our ids, on itself and its payment', async () => {
  const order = newOrder('EUR')
  const page = await opened(order)
  const names = {
    florin_merchant: '12345678',
    florin_payment: order.paymentNumber,
    florin_key: order.idempotencyKey,
  }
  const request = world.network.books.requests.get(page.connectorReference)
  assert.deepEqual(request?.metadata, names)
  assert.deepEqual(request.payment_request, {
    amount: 1_999,
    currency: 'EUR',
    description: 'Two seats',
    metadata: names,
  })
  const sent = world.network.requests.findLast(({ path }) => path === '/billing_request_flows')
  const { billing_request_flows: flow } = JSON.parse(sent?.text ?? '{}') as Record<
    string,
    Record<string, unknown>
  >
  assert.equal(flow?.['language'], 'de')
  assert.deepEqual(flow?.['prefilled_customer'], {
    email: 'ada@example.com',
    given_name: 'Ada',
    family_name: 'Lovelace',
  })
})

test('an order whose response was lost is found by our ids across several pages', async () => {
  const lost = newOrder()
  await opened(lost)
  for (let other = 0; other < 101; other += 1) await opened()
  assert.equal((await fetched(lost)).kind, 'open')
  world.goOn(86_400_000)
  assert.deepEqual(await fetched(newOrder()), { kind: 'not_found' })
})

test('a payment is pending until the bank confirms it, then charged or declined', async () => {
  world.network.paymentsAre = 'submitted'
  for (const end of ['confirmed', 'failed'] as const) {
    const order = newOrder()
    const page = await opened(order)
    const known = withReference(order, page)
    world.network.act(flowOf(page), 'pay')
    assert.deepEqual(await fetched(known), { kind: 'pending', connectorReference: page.connectorReference })
    assert.equal((await world.connector.withdraw(world.account, known, never)).kind, 'pending')
    const payment = world.network.books.requests.get(page.connectorReference)?.links.payment_request_payment
    world.network.movePayment(payment ?? '', end)
    assert.equal((await fetched(known)).kind, end === 'confirmed' ? 'charged' : 'declined')
  }
  world.network.paymentsAre = 'confirmed'
})

async function paid(): Promise<RefundOrder> {
  const order = newOrder()
  const page = await opened(order)
  world.network.act(flowOf(page), 'pay')
  const status = await fetched(withReference(order, page))
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

test('a refund is submitted until it is paid, and failed if it bounced', async () => {
  for (const [end, told] of [
    ['paid', { kind: 'succeeded' }],
    ['bounced', { kind: 'failed', reason: 'bounced' }],
  ] as const) {
    const refund = await paid()
    const submitted = await world.connector.refund(world.account, refund, never)
    assert.equal(submitted.kind, 'submitted')
    const { refundReference } = submitted
    world.network.moveRefund(refundReference, end)
    assert.deepEqual(
      await world.connector.fetchRefund(world.account, { ...refund, refundReference }, never),
      {
        ...told,
        refundReference,
      },
    )
  }
})

test('a refund is refused when GoCardless counts a different total, as after a refund in its dashboard', async () => {
  const refund = await paid()
  const told = await world.connector.refund(world.account, { ...refund, refundedBeforeMinor: 100n }, never)
  assert.deepEqual(told, { kind: 'failed', reason: 'total_amount_confirmation_invalid' })
})

test('a day-old refund is looked up and never sent again', async () => {
  const refund = await paid()
  world.goOn(86_400_000)
  assert.deepEqual(await world.connector.refund(world.account, refund, never), { kind: 'not_found' })
})

test('movements are read from payouts, with fees, oldest first', async () => {
  const since = world.now()
  world.network.payOut()
  world.goOn(86_400_000)
  const { chargeReference } = await paid()
  world.network.payOut()
  const movements: Movement[] = []
  for await (const movement of world.connector.movements?.(world.account, since, never) ?? [])
    movements.push(movement)
  assert.deepEqual(
    movements.slice(-3).map(({ kind, money, chargeReference: charge }) => [kind, money.amountMinor, charge]),
    [
      ['charge', 1_999n, chargeReference],
      ['fee', -10n, chargeReference],
      ['payout', -1_989n, undefined],
    ],
  )
})

test('fractions of a penny are rounded, and malformed amounts refused', () => {
  const amounts = [
    ['45.0', 45n],
    ['-12.5', -13n],
    ['-12.4', -12n],
    ['0.5', 1n],
    ['7', 7n],
  ] as const
  for (const [text, minor] of amounts) assert.equal(wholeMinor(text), minor, text)
  for (const text of ['', '1e3', '1,5', '--1', '0x1']) assert.throws(() => wholeMinor(text), RangeError)
})

test('only pounds and euros are accepted, by bank payment', () => {
  const { connector } = world
  assert.deepEqual(connector.methods('GBP'), ['bank'])
  assert.deepEqual(connector.methods('EUR'), ['bank'])
  assert.deepEqual(connector.methods('USD'), [])
  assert.deepEqual(connector.limits('EUR', 'bank'), { least: 1n, most: 100_000_000n })
  assert.ok(connector.limits('USD', 'bank').most < connector.limits('USD', 'bank').least)
})

test('check names the creditor, and can’t tell whether callbacks are set up', async () => {
  assert.deepEqual(await world.connector.check(world.account, 'https://pay.example.com/c', never), {
    kind: 'works',
    accountName: 'Corner shop (CR123)',
    sandbox: true,
    callbacks: 'unknown',
  })
  const withoutSecret = { access_token: world.network.accessToken }
  const checked = await world.connector.check({ ...world.account, credentials: withoutSecret }, '', never)
  assert.equal(checked.kind === 'works' && checked.callbacks, 'missing')
})
