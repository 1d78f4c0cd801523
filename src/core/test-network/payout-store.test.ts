import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, openTwoMerchants, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import {
  bookingOf,
  insertPayout,
  listCharges,
  listDisputed,
  listPayouts,
  listRefunds,
} from './payout-store.ts'

// Two merchants whose bookings have the same names, and amounts of their own. The payout `first` took everything but `new`.

let two: TwoMerchants
const at = new Date('2026-11-16T12:00:00.000Z')
const later = (ms: number): Date => new Date(at.getTime() + ms)

before(async () => {
  two = await openTwoMerchants()
  for (const merchant_id of [two.own, two.other]) {
    const charges = [
      ['late', 'charged', 4_000, null],
      ['won', 'charged', 3_000, 'won'],
      ['paid', 'charged', 2_000, null],
      ['new', 'charged', 1_000, 'lost'],
      ['asking', 'challenge', 0, 'lost'],
    ] as const
    await insertRows(
      two.db,
      'test_network.charges',
      charges.map(([reference, outcome, ms, disputed]) => ({
        merchant_id,
        idempotency_key: reference,
        payment_number: `payment of ${reference}`,
        reference,
        outcome,
        amount_minor: BigInt(merchant_id),
        currency: 'GBP',
        told_from: reference === 'late' ? later(10_000) : at,
        received_at: later(ms),
        disputed,
      })),
    )
    const refunds = [
      ['back', 'paid', 'succeeded', 0],
      ['newly back', 'won', 'succeeded', 0],
      ['late back', 'paid', 'succeeded', 10_000],
      ['failed', 'paid', 'failed', 0],
    ] as const
    await insertRows(
      two.db,
      'test_network.card_refunds',
      refunds.map(([reference, charge_reference, outcome, toldMs]) => ({
        merchant_id,
        idempotency_key: reference,
        reference,
        charge_reference,
        amount_minor: BigInt(merchant_id),
        outcome,
        requested_at: at,
        told_from: later(toldMs),
      })),
    )
  }
  await payOut(two.own, 'first', [
    bookingOf.charge('paid'),
    bookingOf.charge('won'),
    bookingOf.refund('back'),
    bookingOf.dispute('won'),
  ])
})
after(() => two.close())

async function payOut(merchantId: number, reference: string, bookings: readonly string[]): Promise<void> {
  await inTransaction(two.db, async (tx) =>
    insertPayout(tx, merchantId, { reference, amountMinor: 1n, currency: 'GBP', at }, bookings),
  )
}

const named = (rows: readonly { reference: string; amount_minor: bigint }[]): string[] =>
  rows.map(({ reference, amount_minor }) => `${reference} ${amount_minor}`)

test('a charge is booked from the moment it is decided, in its own payout or in none', async () => {
  const list = async (payout: string | undefined, ms = 0, max = 10) =>
    named(await listCharges(two.db, two.own, payout, { now: later(ms), max }))
  assert.deepEqual(await list('first'), [`paid ${two.own}`, `won ${two.own}`])
  assert.deepEqual(await list('first', 0, 1), [`paid ${two.own}`])
  assert.deepEqual(await list('second'), [])
  assert.deepEqual(await list(undefined), [`new ${two.own}`])
  assert.deepEqual(await list(undefined, 9_999), [`new ${two.own}`])
  assert.deepEqual(await list(undefined, 10_000), [`new ${two.own}`, `late ${two.own}`])
})

test('a refund is booked once it has succeeded, with the payment that it belongs to', async () => {
  const list = async (payout: string | undefined, ms = 0, max = 10) =>
    listRefunds(two.db, two.own, payout, { now: later(ms), max })
  const [back, ...more] = await list('first')
  assert.deepEqual(
    [back?.reference, back?.charge_reference, back?.payment_number, back?.amount_minor, more.length],
    ['back', 'paid', 'payment of paid', BigInt(two.own), 0],
  )
  assert.deepEqual(named(await list(undefined, 9_999)), [`newly back ${two.own}`])
  assert.deepEqual(named(await list(undefined, 10_000)), [`late back ${two.own}`, `newly back ${two.own}`])
  assert.deepEqual(named(await list(undefined, 10_000, 1)), [`late back ${two.own}`])
  assert.equal((await listRefunds(two.db, two.other, undefined, { now: at, max: 10 })).length, 2)
})

test('a disputed charge says which of its two bookings are in the payout', async () => {
  const list = async (merchantId: number, payout: string | undefined) =>
    (await listDisputed(two.db, merchantId, payout)).map(
      ({ reference, takes, gives_back }) => `${reference} ${takes} ${gives_back}`,
    )
  assert.deepEqual(await list(two.own, 'first'), ['new false false', 'won true false'])
  assert.deepEqual(await list(two.own, undefined), ['new true true', 'won false true'])
  assert.deepEqual(await list(two.other, undefined), ['new true true', 'won true true'])
})

test('a booking is paid out once, and a payout that lacks one is not written at all', async () => {
  await assert.rejects(payOut(two.own, 'twice', [bookingOf.charge('new'), bookingOf.charge('paid')]))
  assert.deepEqual(named(await listPayouts(two.db, two.own, at)), ['first 1'])
  assert.deepEqual(named(await listCharges(two.db, two.own, undefined, { now: at, max: 10 })), [
    `new ${two.own}`,
  ])
})

test('payouts are listed from their first moment on, for their own merchant', async () => {
  assert.deepEqual(named(await listPayouts(two.db, two.own, later(1))), [])
  assert.deepEqual(named(await listPayouts(two.db, two.own, at)), ['first 1'])
  assert.deepEqual(await listPayouts(two.db, two.other, at), [])
})
