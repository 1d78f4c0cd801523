import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeOrder } from '../../../test/support/hosted-orders.ts'
import { openPaystack } from '../../../test/support/networks/open-networks.ts'
import type { LaterCharge } from '../../../test/support/networks/paystack/books.ts'
import { keepsTheSavedContract } from '../../../test/support/saved-contract.ts'

const declines: Readonly<Record<string, LaterCharge>> = {
  insufficient_funds: { says: 'Insufficient Funds' },
  method_ended: { says: 'Stolen Card, Pick-Up' },
  needs_customer: { says: 'Customer authentication required' },
}

keepsTheSavedContract('Paystack', async () => {
  const world = await openPaystack()
  const { network } = world
  return {
    ...world,
    currency: 'ZAR',
    method: 'card',
    saved: { kind: 'card', brand: 'Visa', last4: '4081', expires: '2029-08' },
    chargePath: /charge_authorization$/,
    pay: ({ connectorReference }) => network.act(connectorReference, 'pay'),
    timesCharged: ({ idempotencyKey }) =>
      network.books.ledger.filter(({ kind, reference }) => kind === 'charge' && reference === idempotencyKey)
        .length,
    decline(reason) {
      network.chargesAre = declines[reason ?? ''] ?? 'success'
    },
  }
})

type World = Awaited<ReturnType<typeof openPaystack>>

let world: World
before(async () => {
  world = await openPaystack()
  const card = { authorization_code: 'AUTH_1' }
  const email = 'ada@example.com'
  world.network.books.authorizations.set('AUTH_1', {
    authorization_code: 'AUTH_1',
    email,
    card,
    active: true,
  })
})
after(() => world.close())

const never = new AbortController().signal

async function charge(token = 'AUTH_1 ZAR ada@example.com') {
  const order = makeOrder({ connector: world.connector, currency: 'ZAR', method: 'card' }, 990n)
  const words = { email: 'other@example.com', description: 'December', txRef: 'charge-1' }
  return world.connector.chargeSaved?.(
    world.account,
    { ...order, ...words, startedAt: world.now(), token },
    never,
  )
}

test('an authorization is charged with the e-mail address that it was made with, and no other', async () => {
  assert.equal((await charge())?.kind, 'charged')
  const ended = { kind: 'declined', reason: 'method_ended' }
  assert.deepEqual(await charge('AUTH_1 ZAR other@example.com'), ended)
  assert.deepEqual(await charge('AUTH_2 ZAR ada@example.com'), ended)
})

test('our ids go with a charge as text, as it is specified', async () => {
  await charge()
  const sent = world.network.requests.findLast(({ path }) => path.endsWith('charge_authorization'))
  const { metadata, reference } = JSON.parse(sent?.text ?? '') as Record<string, string>
  assert.equal((JSON.parse(metadata ?? '') as Record<string, string>)['florin_key'], reference)
})

test('the bank’s words say whether the card may be charged again', async () => {
  for (const [says, reason] of [
    ['Insufficient Funds', 'insufficient_funds'],
    ['Not sufficient funds', 'insufficient_funds'],
    ['Expired Card', 'expired_card'],
    ['Lost Card, Pick-Up', 'method_ended'],
    ['Restricted card', 'method_ended'],
    ['Declined', 'declined'],
    ['Issuer or switch inoperative', 'declined'],
  ] as const) {
    world.network.chargesAre = { says }
    assert.deepEqual(await charge(), { kind: 'declined', reason }, says)
  }
  world.network.chargesAre = 'paused'
  assert.deepEqual(await charge(), { kind: 'declined', reason: 'needs_customer' })
  world.network.chargesAre = 'success'
})

test('only cards are saved', () => {
  for (const currency of ['NGN', 'GHS', 'KES', 'ZAR', 'USD', 'XOF'])
    assert.deepEqual(world.connector.saves?.(currency), ['card'], currency)
  assert.deepEqual(world.connector.saves?.('GBP'), [])
})
