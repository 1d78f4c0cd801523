import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { cardOf, cards, openTill, type Till } from '../../../test/support/till.ts'
import type { CardDetails, Order, Outcome } from '../networks/connector.ts'

// What the test network does with a card, by its own clock.

const never = new AbortController().signal

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())
beforeEach(() => till.rewind())

let place = 0
function orderWith(card: CardDetails): Order {
  place += 1
  return {
    merchantId: till.merchantId,
    paymentNumber: String(place),
    idempotencyKey: `order-${place}`,
    amountMinor: 1_000n,
    currency: 'GBP',
    mode: 'test',
    card,
  }
}

async function reasonOf(card: CardDetails): Promise<string> {
  return said(await till.network.charge(orderWith(card), never))
}

function said(outcome: Outcome): string {
  return outcome.kind === 'declined' ? outcome.reason : outcome.kind
}

for (const [card, end] of [
  ['timeOutPaid', 'charged'],
  ['timeOutNotPaid', 'declined'],
] as const)
  test(`the card ${card} is undecided for three seconds and ${end} then`, async () => {
    const order = orderWith(cards[card])
    const status = async (): Promise<string> => (await till.network.fetchStatus(order, never)).kind
    assert.equal((await till.network.charge(order, never)).kind, 'no_answer')
    assert.equal(await status(), 'pending')
    till.forward(2_999)
    assert.equal(await status(), 'pending')
    assert.equal((await till.network.charge(order, never)).kind, 'no_answer')
    till.forward(1)
    assert.equal(await status(), end)
    assert.equal((await till.network.charge(order, never)).kind, end)
  })

test('an order that came while the clock ran ahead is decided', async () => {
  const order = orderWith(cards.timeOutPaid)
  till.forward(86_400_000)
  await till.network.charge(order, never)
  till.rewind()
  assert.equal((await till.network.fetchStatus(order, never)).kind, 'charged')
})

test('a card is good until the last moment of its month, and expired afterwards', async () => {
  const now = till.paying.now()
  const card = { ...cards.good, expiryMonth: now.getUTCMonth() + 1, expiryYear: now.getUTCFullYear() }
  const monthEnds = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
  till.forward(monthEnds - now.getTime() - 1)
  assert.equal(await reasonOf(card), 'charged')
  till.forward(1)
  assert.equal(await reasonOf(card), 'expired_card')
})

for (const [number, cvc, expected] of [
  ['4242424242424242', '123', 'charged'],
  ['4242424242424242', '12', 'wrong_cvc'],
  ['4242424242424242', '1234', 'wrong_cvc'],
  ['4242424242424242', '12a', 'wrong_cvc'],
  ['378282246310005', '1234', 'charged'],
  ['378282246310005', '123', 'wrong_cvc'],
] as const)
  test(`the card ${number} with the code ${cvc} is ${expected}`, async () => {
    assert.equal(await reasonOf({ ...cardOf(number), cvc }), expected)
  })

test('an unknown order is not found, and one withdrawn first can’t charge', async () => {
  const order = orderWith(cards.good)
  assert.equal((await till.network.fetchStatus(order, never)).kind, 'not_found')
  assert.equal(said(await till.network.withdraw(order, never)), 'network_silent')
  assert.equal(said(await till.network.charge(order, never)), 'network_silent')
})

test('a challenge that was refused or abandoned says which', async () => {
  const [refused, abandoned] = [orderWith(cards.challenge), orderWith(cards.challenge)]
  for (const order of [refused, abandoned])
    assert.equal((await till.network.charge(order, never)).kind, 'action_required')
  assert.equal(said(await till.network.continueAfterChallenge(refused, 'refuse', never)), 'challenge_refused')
  assert.equal(said(await till.network.withdraw(abandoned, never)), 'challenge_abandoned')
})

test('a real card number is not read and never charged', async () => {
  assert.equal(till.network.readCard(cards.real), undefined)
  assert.deepEqual(till.network.readCard(cards.good), { brand: 'Visa', last4: '4242' })
  await assert.rejects(till.network.charge(orderWith(cards.real), never))
})

test('an aborted call does nothing', async () => {
  const over = AbortSignal.abort()
  const order = orderWith(cards.good)
  for (const call of [
    till.network.charge(order, over),
    till.network.withdraw(order, over),
    till.network.fetchStatus(order, over),
    till.network.continueAfterChallenge(order, 'approve', over),
  ])
    await assert.rejects(call)
  assert.equal((await till.network.fetchStatus(order, never)).kind, 'not_found')
})
