import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import { captureStatuses, orderStatuses } from '../../../test/support/networks/paypal-books.ts'
import { openPage, openPaid, openPayPal } from '../../../test/support/networks/open-networks.ts'
import type { HostedStatus } from '../../core/networks/hosted.ts'

let world: Awaited<ReturnType<typeof openPayPal>>
before(async () => {
  world = await openPayPal()
})
after(() => world.close())

const never = new AbortController().signal

async function fetched(order: Parameters<typeof world.connector.fetch>[1]): Promise<HostedStatus> {
  return world.connector.fetch(world.account, order, never)
}

async function captured(order: Parameters<typeof world.connector.fetch>[1]) {
  return world.connector.capture?.(world.account, order, never)
}

test('every status of an order means what it says, and an unknown one decides nothing', async () => {
  const kinds = {
    CREATED: 'open',
    SAVED: 'open',
    PAYER_ACTION_REQUIRED: 'open',
    APPROVED: 'approved',
    VOIDED: 'declined',
    COMPLETED: undefined,
  } as const
  const { order, reference } = await openPage(world)
  const found = world.network.books.orders.get(reference)
  assert.ok(found)
  for (const status of orderStatuses) {
    found.status = status
    if (kinds[status] === undefined) await assert.rejects(fetched(order), /complete without a capture/)
    else assert.equal((await fetched(order)).kind, kinds[status], status)
  }
  found.status = 'SOMETHING_NEW' as never
  assert.equal((await fetched(order)).kind, 'pending')
})

test('every status of a capture means what it says', async () => {
  const kinds = {
    COMPLETED: 'charged',
    PARTIALLY_REFUNDED: 'charged',
    REFUNDED: 'charged',
    PENDING: 'pending',
    DECLINED: 'declined',
    FAILED: 'declined',
  } as const
  const { order } = await openPaid(world)
  const capture = [...world.network.books.captures.values()].at(-1)
  assert.ok(capture)
  for (const status of captureStatuses) {
    capture.status = status
    assert.equal((await fetched(order)).kind, kinds[status], status)
  }
})

test('a capture under review names its charge and is charged days later', async () => {
  const { order, reference } = await openPage(world)
  world.network.act(reference, 'pending')
  const pending = await captured(order)
  assert.equal(pending?.kind, 'pending')
  const id = world.network.books.orders.get(reference)?.capture ?? ''
  assert.equal('chargeReference' in pending && pending.chargeReference, id)
  world.network.moveCapture(id, 'COMPLETED')
  assert.equal((await fetched(order)).kind, 'charged')
})

test('an approval that lapsed is declined, and so is one that the bank refuses', async () => {
  const late = await openPage(world)
  world.network.act(late.reference, 'pay')
  world.goOn(4 * 3_600_000)
  const lapsed = { kind: 'declined', reason: 'challenge_abandoned' }
  assert.deepEqual(await captured(late.order), lapsed)
  assert.deepEqual(await fetched(late.order), lapsed)
  const poor = await openPage(world)
  world.network.act(poor.reference, 'decline')
  assert.deepEqual(await captured(poor.order), { kind: 'declined', reason: 'declined' })
  assert.equal(world.network.books.captures.has(poor.reference), false)
})

test('the items of an order stand on PayPal’s page, with a discount beside them', async () => {
  const order = makeOrder({ connector: world.connector, currency: 'GBP', method: 'wallet' }, 1_500n)
  const items = [
    { name: 'Seat', quantity: 2, unitMinor: 1_000n },
    { name: 'Voucher', quantity: 1, unitMinor: -500n },
  ]
  const opened = await world.connector.open(world.account, order, { ...makePage(), items }, never)
  assert.equal(opened.kind, 'open')
  assert.deepEqual(world.network.books.orders.get(opened.connectorReference)?.lines, ['2 × Seat: 10.00'])
})

test('a token is fetched once for many calls, again when it ends, and again when PayPal ended it early', async () => {
  const own = await openPayPal()
  const ask = async () =>
    own.connector.fetch(
      own.account,
      {
        ...makeOrder({ connector: own.connector, currency: 'GBP', method: 'wallet' }),
        connectorReference: 'X1',
      },
      never,
    )
  await Promise.all(Array.from({ length: 5 }, ask))
  assert.equal(own.network.books.tokensMade, 1)
  own.goOn(32_400_000 - 30_000)
  await ask()
  assert.equal(own.network.books.tokensMade, 2)
  own.network.endTokens()
  assert.deepEqual(await ask(), { kind: 'not_found' })
  assert.equal(own.network.books.tokensMade, 3)
  await own.close()
})

test('the sandbox is told by PayPal, and a webhook is made once', async () => {
  const own = await openPayPal()
  const url = 'https://pay.example.com/callbacks/paypal/1'
  // As a stored account hides its credentials.
  const hidden = Object.defineProperty({ id: 'acc_3', sandbox: false }, 'credentials', {
    value: own.account.credentials,
  })
  const checked = await own.connector.check(hidden as typeof own.account, url, never)
  assert.deepEqual(checked.kind === 'works' && [checked.sandbox, checked.callbacks], [true, 'missing'])
  const made = await own.connector.setUpCallback?.(own.account, url, never)
  assert.deepEqual(await own.connector.setUpCallback?.(own.account, url, never), made)
  const account = { ...own.account, credentials: { ...own.account.credentials, ...made } }
  const again = await own.connector.check(account, url, never)
  assert.equal(again.kind === 'works' && again.callbacks, 'set_up')
  assert.equal(own.network.books.webhooks.size, 1)
  await own.close()
})
