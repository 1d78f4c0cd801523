import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openPage, openStripe } from '../../../test/support/networks/open-networks.ts'
import type { Intent } from '../../../test/support/networks/stripe-books.ts'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import type { HostedOrder, HostedPage } from '../../core/networks/hosted.ts'

const never = new AbortController().signal
const minuteMs = 60_000

let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
})
after(() => world.close())

/** What a complete session that is not paid means, by its payment intent. */
const unpaid: Readonly<Record<Exclude<Intent['status'], 'succeeded'>, 'pending' | 'declined'>> = {
  processing: 'pending',
  requires_confirmation: 'pending',
  requires_action: 'pending',
  requires_capture: 'pending',
  requires_payment_method: 'declined',
  canceled: 'declined',
}

for (const [status, kind] of Object.entries(unpaid)) {
  test(`an unpaid session whose payment is ${status} is ${kind}`, async () => {
    const { order, reference } = await openPage(world)
    world.network.act(reference, 'pay_later')
    const intent = world.network.books.intents.get(reference) ?? assert.fail()
    intent.status = status as Intent['status']
    assert.equal((await world.connector.fetch(world.account, order, never)).kind, kind)
  })
}

const reasons = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  incorrect_cvc: 'wrong_cvc',
  invalid_cvc: 'wrong_cvc',
  processing_error: 'processing_error',
  payment_intent_authentication_failure: 'challenge_refused',
  authentication_required: 'challenge_refused',
  do_not_honor: 'declined',
} as const

for (const [code, reason] of Object.entries(reasons)) {
  test(`${code} at Stripe is reported as ${reason}`, async () => {
    const { order, reference } = await openPage(world)
    world.network.act(reference, 'pay_later')
    const intent = world.network.books.intents.get(reference) ?? assert.fail()
    intent.status = 'requires_payment_method'
    for (const error of [{ code }, { code: 'card_declined', decline_code: code }]) {
      intent.last_payment_error = error
      assert.deepEqual(await world.connector.fetch(world.account, order, never), { kind: 'declined', reason })
    }
  })
}

/** An order whose answer was lost, at a network whose clock shows another time than ours. */
async function lostOrder(aheadMs: number): Promise<string> {
  const { order } = await openPage(world)
  const startedAt = new Date(world.now().getTime() - aheadMs)
  const lost: HostedOrder = { ...order, connectorReference: undefined, startedAt }
  return (await world.connector.fetch(world.account, lost, never)).kind
}

test('an order whose response was lost is searched from ten minutes before it was sent to an hour after', async () => {
  for (const [aheadMs, found] of [
    [-10 * minuteMs - 1_000, 'not_found'],
    [-10 * minuteMs, 'open'],
    [0, 'open'],
    [60 * minuteMs, 'open'],
    [60 * minuteMs + 1_000, 'not_found'],
  ] as const)
    assert.equal(await lostOrder(aheadMs), found, `${aheadMs} ms`)
})

/** What the customer sees on Stripe's page for £19.99. */
async function linesFor(items: HostedPage['items']): Promise<unknown> {
  const { now, connector, account, network } = world
  const order = { ...makeOrder({ connector, currency: 'GBP', method: 'card' }, 1_999n), startedAt: now() }
  const page = {
    ...makePage(),
    expiresAt: new Date(now().getTime() + 60 * minuteMs),
    ...(items && { items }),
  }
  const opened = await connector.open(account, order, page, never)
  if (opened.kind !== 'open') throw new Error(opened.why)
  const session = network.books.sessions.get(opened.connectorReference)
  assert.equal(session?.amount_total, 1_999)
  return session.line_items?.map(({ description, quantity }) => `${quantity} ${description}`)
}

test('items are separate lines on Stripe’s page', async () => {
  const tea = { name: 'Tea', quantity: 3, unitMinor: 500n }
  const mug = { name: 'Mug', quantity: 1, unitMinor: 499n }
  const gift = { name: 'Gift', quantity: 1, unitMinor: 0n }
  assert.deepEqual(await linesFor([tea, mug, gift]), ['3 Tea', '1 Mug', '1 Gift'])
})

test('a discount merges all items into one line, as Stripe accepts no negative line', async () => {
  const tea = { name: 'Tea', quantity: 1, unitMinor: 2_499n }
  const discount = { name: 'Five off', quantity: 1, unitMinor: -500n }
  assert.deepEqual(await linesFor([tea, discount]), ['1 Two seats'])
  assert.deepEqual(await linesFor(undefined), ['1 Two seats'])
})

test('more than 999,999 of one item are one line, as Stripe takes no more', async () => {
  const free = (quantity: number) => ({ name: 'Sticker', quantity, unitMinor: 0n })
  const seats = { name: 'Seats', quantity: 1, unitMinor: 1_999n }
  assert.deepEqual(await linesFor([free(999_999), seats]), ['999999 Sticker', '1 Seats'])
  assert.deepEqual(await linesFor([free(1_000_000), seats]), ['1 Two seats'])
})
