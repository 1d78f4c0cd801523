import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Movement } from '../../../core/networks/hosted.ts'
import { compareRefunds, type ComparingRefunds, type OurRefund } from './compare-refunds.ts'

const day = 24 * 3_600_000
const now = new Date('2026-11-15T12:00:00Z')
const ago = (ms: number): Date => new Date(now.getTime() - ms)
const comparing: ComparingRefunds = {
  since: ago(30 * day),
  now,
  booksWithinMs: day,
  findCharge: (reference) =>
    reference === 'pi_ours' ? { merchantId: 12345678, txRef: 'order-1' } : undefined,
}

function our(name: string, more: Partial<OurRefund> = {}): OurRefund {
  return {
    merchantId: 12345678,
    txRef: 'order-1',
    names: [`rfd_${name}`, `re_${name}`],
    end: 'done',
    money: { amountMinor: 500n, currency: 'GBP' },
    at: ago(10 * day),
    ...more,
  }
}

function booked(name: string, amountMinor = -500n, more: Partial<Movement> = {}): Movement {
  return {
    kind: 'refund',
    reference: `txn_${name}`,
    chargeReference: 'pi_ours',
    refundReference: `re_${name}`,
    money: { amountMinor, currency: 'GBP' },
    at: ago(10 * day),
    ...more,
  }
}

const kindsOf = (ours: readonly OurRefund[], theirs: readonly Movement[]): string[] =>
  compareRefunds(ours, theirs, comparing).differences.map(({ kind, reference }) => `${kind} ${reference}`)

test('refunds on both sides match, by the network’s id or our key', () => {
  const byKey = booked('2', -500n, { refundReference: undefined, idempotencyKey: 'rfd_2' })
  assert.deepEqual(compareRefunds([our('1'), our('2')], [booked('1'), byKey], comparing), {
    differences: [],
    alike: 2,
    foreign: 0,
  })
})

test('a refund made only at the network is reported with its order, and a foreign one is counted', () => {
  const stranger = booked('2', -500n, { chargeReference: 'pi_of_a_shop' })
  const { differences, foreign } = compareRefunds([], [booked('1'), stranger], comparing)
  assert.deepEqual(
    differences.map(({ kind, txRef, there }) => [kind, txRef, there?.amountMinor]),
    [['refunded_there_only', 'order-1', 500n]],
  )
  assert.equal(foreign, 1)
})

test('a refund the network never booked is reported, once it had time', () => {
  assert.deepEqual(kindsOf([our('1'), our('2', { at: ago(day - 1) })], []), ['refunded_here_only re_1'])
})

test('a bounced refund that succeeded here is reported, and one that failed here isn’t', () => {
  const home = [booked('1'), booked('1', 500n, { reference: 'txn_home' })]
  assert.deepEqual(kindsOf([our('1')], home), ['refunded_here_only re_1'])
  assert.deepEqual(kindsOf([our('1', { end: 'failed' })], home), [])
  assert.deepEqual(kindsOf([our('1', { end: 'failed' })], [booked('1')]), ['refunded_there_only re_1'])
})

test('differing amounts are reported, in the customer’s currency', () => {
  const other = { amountMinor: -575n, currency: 'EUR' }
  const original = { amountMinor: -500n, currency: 'GBP' }
  assert.deepEqual(kindsOf([our('1')], [booked('1', -499n)]), ['refunds_differ re_1'])
  assert.deepEqual(kindsOf([our('1')], [booked('1', 0n, { money: other, original })]), [])
})

test('an open refund may be booked or not, and pending or earlier bookings are no difference', () => {
  assert.deepEqual(kindsOf([our('1', { end: 'open' }), our('2', { end: 'open' })], [booked('1')]), [])
  const theirs = [booked('3', -500n, { at: ago(60_000) }), booked('4', -500n, { at: ago(31 * day) })]
  assert.deepEqual(kindsOf([our('5', { at: ago(31 * day) })], theirs), [])
})

test('a booking less than a quarter of an hour old may still be on its way to us', () => {
  const minute = 60_000
  assert.deepEqual(kindsOf([], [booked('1', -500n, { at: ago(15 * minute - 1) })]), [])
  assert.deepEqual(kindsOf([], [booked('1', -500n, { at: ago(15 * minute) })]), ['refunded_there_only re_1'])
  assert.deepEqual(kindsOf([our('1', { end: 'open' })], [booked('1')]), [], 'one that is open may be booked')
})

test('the network’s time to book a refund is exact, and older ones are not asked for', () => {
  assert.deepEqual(kindsOf([our('1', { at: ago(day) })], []), ['refunded_here_only re_1'])
  assert.deepEqual(kindsOf([our('1', { at: ago(30 * day) })], []), ['refunded_here_only re_1'])
  assert.deepEqual(kindsOf([our('1', { at: ago(30 * day + 1) })], []), [])
  for (const end of ['open', 'failed'] as const) assert.deepEqual(kindsOf([our('1', { end })], []), [], end)
})

test('a booking before the compared period counts only beside a refund completed here', () => {
  const at = ago(30 * day + 1)
  assert.deepEqual(kindsOf([], [booked('1', -500n, { at })]), [])
  assert.deepEqual(kindsOf([our('1', { end: 'failed' })], [booked('1', -500n, { at })]), [])
  assert.deepEqual(kindsOf([our('1')], [booked('1', -499n, { at })]), ['refunds_differ re_1'])
})

test('differences are reported in booking order', () => {
  const theirs = [booked('late', -1n, { at: ago(2 * day) }), booked('early', -1n, { at: ago(9 * day) })]
  assert.deepEqual(kindsOf([], theirs), ['refunded_there_only re_early', 'refunded_there_only re_late'])
})
