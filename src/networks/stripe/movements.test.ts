import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { openStripe } from '../../../test/support/networks/open-networks.ts'
import type { Booking } from '../../../test/support/networks/stripe-books.ts'
import type { Movement } from '../../core/networks/hosted.ts'
import { originalOf, type Booking as StripeBooking } from './movements.ts'

const never = new AbortController().signal
const dayMs = 86_400_000

let world: Awaited<ReturnType<typeof openStripe>>
beforeEach(async () => {
  world = await openStripe()
})
afterEach(() => world.close())

/** A booking of one pound that came in, `agoMs` before now. */
function book(id: string, agoMs: number, more: Partial<Booking> = {}): void {
  world.network.books.bookings.push({
    id,
    object: 'balance_transaction',
    type: 'charge',
    amount: 100,
    fee: 3,
    net: 97,
    currency: 'gbp',
    created: Math.floor((world.now().getTime() - agoMs) / 1_000),
    available_on: 0,
    exchange_rate: null,
    fee_details: [],
    source: { id: 'ch_1', object: 'charge', amount: 100, currency: 'gbp', metadata: {} },
    ...more,
  })
}

async function movementsSince(agoMs: number): Promise<Movement[]> {
  const since = new Date(world.now().getTime() - agoMs)
  return Array.fromAsync(world.connector.movements?.(world.account, since, never) ?? [])
}

test('every balance transaction is read once, oldest first, however many a day has', async () => {
  const names = Array.from({ length: 450 }, (_, place) => `txn_${place}`)
  // Two hundred on one day, as many on another, the rest on a third: Stripe hands out a hundred at a time.
  names.forEach((name, place) => book(name, (3 - Math.floor(place / 200)) * dayMs))
  const told = await movementsSince(3 * dayMs + 1_000)
  assert.deepEqual(
    told.map(({ reference }) => reference),
    names,
  )
})

test('balance transactions of the first second are included, and none before it', async () => {
  book('txn_before', 2 * dayMs + 1_000)
  book('txn_first', 2 * dayMs)
  book('txn_end_of_day', dayMs + 1_000)
  book('txn_next_day', dayMs)
  book('txn_now', 0)
  assert.deepEqual(
    (await movementsSince(2 * dayMs)).map(({ reference }) => reference),
    ['txn_first', 'txn_end_of_day', 'txn_next_day', 'txn_now'],
  )
})

const kinds: Readonly<Record<string, Movement['kind']>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'fee',
  adjustment: 'other',
  transfer: 'other',
}

test('balance transactions are classified by their type', async () => {
  for (const type of Object.keys(kinds)) book(`txn_${type}`, 0, { type })
  const dispute = { id: 'du_1', object: 'dispute', payment_intent: 'pi_1' }
  book('txn_taken', 0, { type: 'adjustment', amount: -100, source: dispute })
  const told = await movementsSince(0)
  assert.deepEqual(Object.fromEntries(told.map(({ reference, kind }) => [reference.slice(4), kind])), {
    ...kinds,
    taken: 'dispute',
  })
  assert.equal(told.at(-1)?.chargeReference, 'pi_1')
})

test('a balance transaction in another currency shows what the customer paid and got back', async () => {
  const source = {
    id: 're_1',
    object: 'refund',
    amount: 100,
    currency: 'eur',
    payment_intent: { id: 'pi_1' },
  }
  book('txn_in', 0, { amount: 86, source: { ...source, id: 'ch_1', object: 'charge' } })
  book('txn_out', 0, { type: 'refund', amount: -86, fee: 0, source })
  book('txn_home', 0, { type: 'refund_failure', amount: 86, fee: 0, source })
  assert.deepEqual(
    (await movementsSince(0)).map(({ money, original, refundReference, chargeReference }) => [
      money.amountMinor,
      original?.amountMinor,
      original?.currency,
      refundReference,
      chargeReference,
    ]),
    [
      [86n, 100n, 'EUR', undefined, 'pi_1'],
      [-86n, -100n, 'EUR', 're_1', 'pi_1'],
      [86n, 100n, 'EUR', 're_1', 'pi_1'],
    ],
  )
})

for (const [amount, expected] of [
  [-86, -100n],
  [-1, -100n],
  [0, 100n],
  [86, 100n],
] as const)
  test(`a booking of ${amount} pence for 1.00 EUR is reported as ${expected} euro cents`, () => {
    const booking = { amount, currency: 'gbp' } as StripeBooking
    const source = { id: 'ch_1', object: 'charge', amount: 100, currency: 'eur' }
    assert.deepEqual(originalOf(source, booking), { amountMinor: expected, currency: 'EUR' })
  })

for (const [what, source] of [
  ['nothing', null],
  ['something without an amount', { id: 'ch_1', object: 'charge', currency: 'eur' }],
  ['something without a currency', { id: 'ch_1', object: 'charge', amount: 100 }],
  ['a charge in the same currency', { id: 'ch_1', object: 'charge', amount: 100, currency: 'gbp' }],
] as const)
  test(`a booking about ${what} has no amount in another currency`, () => {
    assert.equal(originalOf(source, { amount: 86, currency: 'gbp' } as StripeBooking), undefined)
  })
