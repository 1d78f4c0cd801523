import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStripe } from '../../../test/support/networks/open-networks.ts'
import type { LaterCharge } from '../../../test/support/networks/stripe-books.ts'
import { makeOrder, makePage } from '../../../test/support/hosted-orders.ts'
import { keepsTheSavedContract } from '../../../test/support/saved-contract.ts'
import type { HostedStatus } from '../../core/networks/hosted.ts'
import { callbackEvents, neededEvents } from './callback.ts'

const declines: Readonly<Record<string, LaterCharge>> = {
  insufficient_funds: { code: 'card_declined', decline_code: 'insufficient_funds' },
  method_ended: { code: 'card_declined', decline_code: 'stolen_card' },
  needs_customer: { code: 'authentication_required', decline_code: 'authentication_required' },
}

keepsTheSavedContract('Stripe', async () => {
  const world = await openStripe()
  const { network } = world
  return {
    ...world,
    currency: 'GBP',
    method: 'card',
    saved: { kind: 'card', brand: 'Visa', last4: '4242', expires: '2029-08' },
    chargePath: /payment_intents$/,
    pay: ({ connectorReference }) => network.act(connectorReference, 'pay'),
    timesCharged: ({ idempotencyKey }) =>
      network.books.bookings.filter(
        ({ type, source }) =>
          type === 'charge' &&
          (source as { metadata: Record<string, string> }).metadata['florin_key'] === idempotencyKey,
      ).length,
    decline(reason) {
      network.chargesAre = declines[reason ?? ''] ?? 'succeeded'
    },
  }
})

let world: Awaited<ReturnType<typeof openStripe>>
before(async () => {
  world = await openStripe()
  world.network.books.customers.set('cus_1', { id: 'cus_1', metadata: {} })
  const card = { brand: 'visa', last4: '4242', exp_month: 8, exp_year: 2029 }
  const of = { object: 'payment_method', type: 'card', customer: 'cus_1', card } as const
  world.network.books.cards.set('pm_1', { id: 'pm_1', ...of })
})
after(() => world.close())

const never = new AbortController().signal

function newCharge(token = 'cus_1 pm_1', amountMinor = 990n, currency = 'GBP') {
  const order = makeOrder({ connector: world.connector, currency, method: 'card' }, amountMinor)
  const words = { email: 'ada@example.com', description: 'December', txRef: 'charge-1' }
  return { ...order, ...words, startedAt: world.now(), token, statementDescriptor: 'CORNER SHOP' }
}

async function charge(order = newCharge()): Promise<HostedStatus> {
  return (await world.connector.chargeSaved?.(world.account, order, never)) ?? assert.fail()
}

test('a charge carries our ids, the key of its attempt and the words on the statement', async () => {
  const order = newCharge()
  const status = await charge(order)
  assert.equal(status.kind, 'charged')
  const intent = world.network.books.intents.get(status.connectorReference)
  assert.deepEqual(intent?.metadata, {
    florin_merchant: '12345678',
    florin_payment: order.paymentNumber,
    florin_key: order.idempotencyKey,
    florin_saved: 'true',
  })
  assert.equal(intent.statement_descriptor_suffix, 'CORNER SHOP')
  const sent = world.network.requests.findLast(({ method }) => method === 'POST')
  assert.equal(sent?.headers['idempotency-key'], order.idempotencyKey)
})

test('a charge says whether its customer is there', async () => {
  const sent = async (order: ReturnType<typeof newCharge> & { readonly isPresent?: true }) => {
    await charge(order)
    const text = world.network.requests.findLast(({ method }) => method === 'POST')?.text ?? ''
    const names = [...new URLSearchParams(text).keys()]
    return names.filter((name) => name === 'off_session' || name === 'error_on_requires_action')
  }
  assert.deepEqual(await sent(newCharge()), ['off_session'])
  assert.deepEqual(await sent({ ...newCharge(), isPresent: true }), ['error_on_requires_action'])
})

const reasons: readonly (readonly [Exclude<LaterCharge, string>, string])[] = [
  [{ code: 'card_declined', decline_code: 'do_not_honor' }, 'declined'],
  [{ code: 'card_declined', decline_code: 'generic_decline' }, 'declined'],
  [{ code: 'card_declined' }, 'declined'],
  [{ code: 'card_declined', decline_code: 'do_not_honor', advice_code: 'try_again_later' }, 'declined'],
  [{ code: 'card_declined', decline_code: 'do_not_honor', advice_code: 'do_not_try_again' }, 'method_ended'],
  [{ code: 'expired_card', advice_code: 'do_not_try_again' }, 'expired_card'],
  [{ code: 'expired_card', decline_code: 'expired_card' }, 'expired_card'],
  [{ code: 'processing_error', decline_code: 'processing_error' }, 'processing_error'],
  [{ code: 'card_declined', decline_code: 'authentication_required' }, 'needs_customer'],
  [{ code: 'payment_intent_authentication_failure' }, 'needs_customer'],
  [{ code: 'payment_intent_action_required' }, 'needs_customer'],
  [{ code: 'card_declined', decline_code: 'authentication_not_handled' }, 'needs_customer'],
  ...[
    'fraudulent',
    'invalid_account',
    'lost_card',
    'merchant_blacklist',
    'pickup_card',
    'restricted_card',
    'revocation_of_all_authorizations',
    'revocation_of_authorization',
    'stop_payment_order',
  ].map((decline_code) => [{ code: 'card_declined', decline_code }, 'method_ended'] as const),
]

test('Stripe’s reasons for a decline say whether the card may be charged again', async () => {
  for (const [later, reason] of reasons) {
    world.network.chargesAre = later
    const order = newCharge()
    const declined = { kind: 'declined', reason }
    assert.deepEqual(await charge(order), declined, JSON.stringify(later))
    assert.deepEqual(await world.connector.fetch(world.account, order, never), declined)
  }
  world.network.chargesAre = 'succeeded'
})

test('a charge that takes days is pending until it succeeds or fails', async () => {
  for (const end of ['succeeded', 'failed'] as const) {
    world.network.chargesAre = 'processing'
    const order = newCharge()
    const status = await charge(order)
    assert.equal(status.kind, 'pending')
    assert.equal((await world.connector.withdraw(world.account, order, never)).kind, 'pending')
    world.network.endCharge(status.connectorReference, end)
    const found = await world.connector.fetch(world.account, order, never)
    assert.equal(found.kind, end === 'succeeded' ? 'charged' : 'declined')
  }
  world.network.chargesAre = 'succeeded'
})

test('a card or customer that is gone at Stripe has ended, and can’t be charged by a late request', async () => {
  for (const token of ['cus_none pm_none', 'cus_1 pm_none']) {
    const order = newCharge(token)
    assert.deepEqual(await charge(order), { kind: 'declined', reason: 'method_ended' }, token)
    assert.equal((await world.connector.withdraw(world.account, order, never)).kind, 'not_found')
    await world.connector.forget?.(world.account, token, never)
  }
})

test('an amount that Stripe can’t express is declined without a call', async () => {
  const calls = world.network.requests.length
  const declined = { kind: 'declined', reason: 'processing_error' }
  assert.deepEqual(await charge(newCharge(undefined, 5_124n, 'KWD')), declined)
  assert.equal(world.network.requests.length, calls)
})

test('a charge that is only a day old is asked about and shut out no more', async () => {
  const order = newCharge()
  world.goOn(24 * 3_600_000)
  const calls = world.network.requests.length
  assert.deepEqual(await world.connector.withdraw(world.account, order, never), { kind: 'not_found' })
  assert.deepEqual(
    world.network.requests.slice(calls).map(({ method }) => method),
    ['GET'],
  )
})

test('a key that may still be at work decides nothing for ten minutes', async () => {
  const order = newCharge()
  void world.network.turn({ kind: 'fails', when: 'before' }, { path: /payment_intents$/, method: 'POST' })
  await assert.rejects(charge(order))
  await assert.rejects(world.connector.withdraw(world.account, order, never), /no other use of the key/)
  world.goOn(10 * 60_000)
  assert.deepEqual(await world.connector.withdraw(world.account, order, never), { kind: 'not_found' })
})

test('a method is saved without its details if the key may not read them', async () => {
  const { connector, account, network } = world
  const order = { ...makeOrder({ connector, currency: 'GBP', method: 'card' }), startedAt: world.now() }
  const page = {
    ...makePage(),
    expiresAt: new Date(world.now().getTime() + 3_600_000),
    save: { agreement: 'unscheduled', customerRef: 'ada' },
  } as const
  const opened = await connector.open(account, order, page, never)
  assert.equal(opened.kind, 'open')
  network.act(opened.connectorReference, 'pay')
  void network.turn({ kind: 'forbids' }, { path: /payment_methods\// })
  const status = await connector.fetch(account, { ...order, ...opened }, never)
  assert.equal(status.kind, 'charged')
  assert.deepEqual(Object.keys(status.savedMethod ?? {}), ['reference', 'kind'])
})

test('a customer who saved a card is known on Stripe’s page, unless Stripe has forgotten them', async () => {
  const { connector, account, network, now } = world
  for (const [savedToken, customer, email] of [
    ['cus_1 pm_1', 'cus_1', null],
    ['cus_none pm_1', null, 'ada@example.com'],
  ] as const) {
    const order = { ...makeOrder({ connector, currency: 'GBP', method: 'card' }), startedAt: now() }
    const page = { ...makePage(), expiresAt: new Date(now().getTime() + 3_600_000), savedToken }
    const opened = await connector.open(account, order, page, never)
    assert.equal(opened.kind, 'open')
    const session = network.books.sessions.get(opened.connectorReference)
    assert.deepEqual([session?.customer, session?.customer_email], [customer, email])
  }
})

test('an endpoint from before cards were saved still counts as set up', () => {
  assert.deepEqual(
    callbackEvents.filter((event) => !neededEvents.includes(event)),
    ['payment_intent.succeeded', 'payment_intent.payment_failed', 'payment_intent.canceled'],
  )
})
