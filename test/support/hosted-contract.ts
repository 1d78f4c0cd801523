import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type {
  Account,
  HostedConnector,
  HostedOrder,
  Opened,
  PaymentMethod,
  RefundOrder,
} from '../../src/core/networks/hosted.ts'
import { NoAnswer } from '../../src/core/networks/no-answer.ts'
import { captureTests, openPage, payFully } from './capture-contract.ts'
import { makeOrder, makePage, newRefundKey, withReference } from './hosted-orders.ts'

// What every network with a page of its own must keep, written once. A connector brings an account, a way to play the
// customer on the network's page, and a look into the network's own books.

export type UnderHostedContract = {
  readonly connector: HostedConnector
  readonly account: Account
  /** With credentials that the network does not know; left out where there are none. */
  readonly stranger?: Account
  readonly currency: string
  readonly method: PaymentMethod
  /** The customer pays on the page, or approves where that is not yet paying; false when the page does not take it. */
  readonly pay: (opened: OpenPage) => Promise<boolean>
  /** The customer is refused by the network on the page, or refuses; left out where a page can't be refused. */
  readonly refuse?: (opened: OpenPage) => Promise<void>
  /** How many times this order took money, by the network's own books. */
  readonly timesCharged: (order: HostedOrder) => Promise<number>
  /** What went back of it, by the network's own books. */
  readonly refundedMinor: (order: HostedOrder) => Promise<bigint>
  /** The network can't close a page. */
  readonly closes?: false
  /** The network tells the address of a page once. */
  readonly tellsAgain?: false
  readonly close: () => Promise<void>
}

export type OpenPage = Extract<Opened, { kind: 'open' }>

const never = new AbortController().signal

export function keepsTheHostedContract(name: string, open: () => Promise<UnderHostedContract>): void {
  describe(`${name} keeps the contract of networks with a page of their own`, () => {
    let under: UnderHostedContract
    before(async () => {
      under = await open()
    })
    after(() => under.close())

    openingTests(() => under)
    payingTests(() => under)
    captureTests(() => under)
    withdrawTests(() => under)
    refundTests(() => under)
    carelessTests(() => under)
  })
}

function openingTests(under: () => UnderHostedContract): void {
  test('opening with the same key many times, in turn or at once, gives one page', async () => {
    const { connector, account } = under()
    const order = makeOrder(under())
    const page = makePage()
    const first = await openPage(under(), order, page)
    assert.match(first.url, /^https?:\/\//)
    const again = connector.open(account, order, page, never)
    if (under().tellsAgain === false) await assert.rejects(again, NoAnswer)
    else assert.deepEqual(await again, first)
    const atOnce = makeOrder(under())
    const pages = await Promise.all(
      Array.from({ length: 5 }, async () => openPage(under(), atOnce, page).catch(() => undefined)),
    )
    // A network may refuse one of two equal calls that run together; it never makes a second page.
    assert.equal(new Set(pages.flatMap((each) => (each ? [each.connectorReference] : []))).size, 1)
  })

  test('an open page reports its state and URL, and takes no money by itself', async () => {
    const { connector, account, timesCharged } = under()
    const order = makeOrder(under())
    const opened = await openPage(under(), order)
    const status = await connector.fetch(account, withReference(order, opened), never)
    assert.equal(status.kind, 'open')
    assert.equal(status.connectorReference, opened.connectorReference)
    assert.equal(await timesCharged(order), 0)
  })

  test('an unknown order is not found', async () => {
    const { connector, account } = under()
    assert.deepEqual(await connector.fetch(account, makeOrder(under()), never), { kind: 'not_found' })
  })

  test('methods and limits cover the same currencies', () => {
    const { connector, currency, method } = under()
    assert.ok(connector.methods(currency).includes(method))
    const { least, most } = connector.limits(currency, method)
    assert.ok(least > 0n && least <= most)
  })
}

function payingTests(under: () => UnderHostedContract): void {
  test('a paid page is charged, with the network’s own amount and currency', async () => {
    const { connector, account, timesCharged } = under()
    const order = makeOrder(under(), 2_345n)
    const opened = await openPage(under(), order)
    assert.equal(await payFully(under(), order, opened), true)
    const status = await connector.fetch(account, withReference(order, opened), never)
    assert.equal(status.kind, 'charged')
    assert.equal(status.connectorReference, opened.connectorReference)
    assert.deepEqual(status.money, { amountMinor: 2_345n, currency: order.currency })
    assert.notEqual(status.chargeReference, '')
    assert.equal(await timesCharged(order), 1)
  })

  test('paying twice on one page charges once, and reopening gives no payable page', async () => {
    const { connector, account, timesCharged } = under()
    const order = makeOrder(under())
    const opened = await openPage(under(), order)
    await Promise.all([payFully(under(), order, opened), payFully(under(), order, opened)])
    const again = await connector.open(account, order, makePage(), never).catch(() => undefined)
    if (again?.kind === 'open') assert.equal(await payFully(under(), order, again), false)
    assert.equal(await timesCharged(order), 1)
  })

  test('a declined page never reports a charge', async (t) => {
    const { connector, account, refuse, timesCharged } = under()
    if (!refuse) return t.diagnostic('A page of this network can not be refused')
    const order = makeOrder(under())
    const opened = await openPage(under(), order)
    await refuse(opened)
    const status = await connector.fetch(account, withReference(order, opened), never)
    // Some networks let the customer try again on the same page.
    assert.ok(status.kind === 'declined' || status.kind === 'open', status.kind)
    assert.equal(await timesCharged(order), 0)
  })
}

function withdrawTests(under: () => UnderHostedContract): void {
  test('a withdrawn page can’t be paid, or its network says that it is still open', async () => {
    const { connector, account, pay, timesCharged } = under()
    const order = makeOrder(under())
    const opened = await openPage(under(), order)
    const withdrawn = await connector.withdraw(account, withReference(order, opened), never)
    if (under().closes === false) return assert.equal(withdrawn.kind, 'still_open')
    assert.equal(withdrawn.kind, 'declined')
    // Where approving is not paying there is nothing to close: nobody takes the money of an order that was withdrawn.
    assert.equal(await pay(opened), connector.capture !== undefined)
    if (!connector.capture)
      assert.equal((await connector.fetch(account, withReference(order, opened), never)).kind, 'declined')
    assert.equal((await connector.withdraw(account, withReference(order, opened), never)).kind, 'declined')
    assert.equal(await timesCharged(order), 0)
    return undefined
  })

  test('withdrawing a paid page reports the charge and doesn’t undo it', async () => {
    const { connector, account, timesCharged } = under()
    const order = makeOrder(under())
    const opened = await openPage(under(), order)
    await payFully(under(), order, opened)
    const withdrawn = await connector.withdraw(account, withReference(order, opened), never)
    assert.equal(withdrawn.kind, 'charged')
    assert.deepEqual(withdrawn, await connector.fetch(account, withReference(order, opened), never))
    assert.equal(await timesCharged(order), 1)
  })

  test('paying and withdrawing at once agree on one outcome', async (t) => {
    const { connector, account, pay, timesCharged } = under()
    if (connector.capture) return t.diagnostic('Payments never captures what it withdraws')
    for (let round = 0; round < 5; round += 1) {
      const order = makeOrder(under())
      const opened = await openPage(under(), order)
      const key = withReference(order, opened)
      const [paid] = await Promise.all([pay(opened), connector.withdraw(account, key, never)])
      const status = await connector.withdraw(account, key, never)
      assert.equal(status.kind, paid ? 'charged' : 'declined')
      assert.equal(await timesCharged(order), paid ? 1 : 0)
    }
    return undefined
  })

  test('withdrawing an order that never arrived does no harm', async () => {
    const { connector, account } = under()
    const withdrawn = await connector.withdraw(account, makeOrder(under()), never)
    assert.ok(withdrawn.kind === 'declined' || withdrawn.kind === 'not_found', withdrawn.kind)
  })
}

function refundTests(under: () => UnderHostedContract): void {
  test('a refund with the same key is made once, however often it is sent', async () => {
    const { connector, account, refundedMinor } = under()
    const { order, refund } = await paidOrder(under(), 1_500n, 500n)
    const first = await connector.refund(account, refund, never)
    assert.ok(first.kind === 'submitted' || first.kind === 'succeeded', first.kind)
    const again = await connector.refund(account, refund, never)
    assert.equal('refundReference' in again && again.refundReference, first.refundReference)
    const { refundReference } = first
    const fetched = await connector.fetchRefund(account, { ...refund, refundReference }, never)
    assert.ok(fetched.kind === 'submitted' || fetched.kind === 'succeeded', fetched.kind)
    assert.equal(fetched.refundReference, refundReference)
    assert.equal(await refundedMinor(order), 500n)
  })

  test('two refunds with two keys are both made, but never more than was paid', async () => {
    const { connector, account, refundedMinor } = under()
    const { order, refund } = await paidOrder(under(), 1_500n, 1_000n)
    await connector.refund(account, refund, never)
    const rest = { ...refund, ...newRefundKey(), amountMinor: 500n, refundedBeforeMinor: 1_000n }
    assert.notEqual((await connector.refund(account, rest, never)).kind, 'failed')
    const tooMuch = { ...refund, ...newRefundKey(), amountMinor: 1n, refundedBeforeMinor: 1_500n }
    assert.equal((await connector.refund(account, tooMuch, never)).kind, 'failed')
    assert.equal(await refundedMinor(order), 1_500n)
  })

  test('an unknown refund is not found', async () => {
    const { connector, account } = under()
    const { refund } = await paidOrder(under(), 1_500n, 500n)
    assert.deepEqual(await connector.fetchRefund(account, refund, never), { kind: 'not_found' })
  })
}

function carelessTests(under: () => UnderHostedContract): void {
  test('a call aborted before it starts does nothing', async () => {
    const { connector, account } = under()
    const order = makeOrder(under())
    await assert.rejects(connector.open(account, order, makePage(), AbortSignal.abort()))
    assert.deepEqual(await connector.fetch(account, order, never), { kind: 'not_found' })
  })

  test('check reports unknown credentials, which never count as an outcome', async (t) => {
    const { connector, account, stranger, currency } = under()
    const url = 'https://pay.example.com/callbacks/x'
    assert.equal((await connector.check(account, url, never)).kind, 'works')
    if (!stranger) return t.diagnostic('This network has no credentials')
    assert.equal((await connector.check(stranger, url, never)).kind, 'refused')
    const order = { ...makeOrder(under()), currency }
    const opened = await connector
      .open(stranger, order, makePage(), never)
      .catch(() => ({ kind: 'refused' as const }))
    assert.equal(opened.kind, 'refused')
    const known = await openPage(under(), order)
    await assert.rejects(connector.fetch(stranger, withReference(order, known), never))
    await assert.rejects(connector.withdraw(stranger, withReference(order, known), never))
    return undefined
  })

  test('an unsigned callback is refused', () => {
    const { connector, account } = under()
    for (const body of ['', '{}', '{"id":"evt_1"}', 'not json']) {
      assert.equal(connector.readCallback(account, Buffer.from(body), {}, new Date()), undefined)
    }
  })
}

async function paidOrder(
  under: UnderHostedContract,
  chargedMinor: bigint,
  amountMinor: bigint,
): Promise<{ order: HostedOrder; refund: RefundOrder }> {
  const order = makeOrder(under, chargedMinor)
  const opened = await openPage(under, order)
  await payFully(under, order, opened)
  const status = await under.connector.fetch(under.account, withReference(order, opened), never)
  assert.equal(status.kind, 'charged')
  const { connectorReference, chargeReference } = status
  const refund: RefundOrder = {
    ...newRefundKey(),
    merchantId: order.merchantId,
    requestedAt: new Date(),
    connectorReference,
    chargeReference,
    amountMinor,
    currency: order.currency,
    refundedBeforeMinor: 0n,
    chargedMinor,
  }
  return { order, refund }
}
