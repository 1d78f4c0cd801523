import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Movement } from '../../networks/hosted.ts'
import { compareCharges, type ComparingCharges, type OurCharge } from './compare-charges.ts'

const day = 24 * 3_600_000
const now = new Date('2026-11-15T12:00:00Z')
const ago = (ms: number): Date => new Date(now.getTime() - ms)
const comparing: ComparingCharges = { since: ago(30 * day), now, booksWithinMs: day, marksCharges: true }

function our(name: string, more: Partial<OurCharge> = {}): OurCharge {
  return {
    merchantId: 12345678,
    txRef: `order-${name}`,
    idempotencyKey: `key-${name}`,
    references: [`pi_${name}`, `cs_${name}`],
    charged: { amountMinor: 1000n, currency: 'GBP' },
    at: ago(10 * day),
    ...more,
  }
}

function booked(name: string, more: Partial<Movement> = {}): Movement {
  return {
    kind: 'charge',
    reference: `txn_${name}`,
    chargeReference: `pi_${name}`,
    idempotencyKey: `key-${name}`,
    money: { amountMinor: 1000n, currency: 'GBP' },
    at: ago(10 * day),
    ...more,
  }
}

test('charges on both sides match, by the charge’s id or our key', () => {
  const ours = [our('1'), our('2'), our('3', { references: [] })]
  const theirs = [
    booked('1'),
    booked('2', { idempotencyKey: undefined }),
    booked('3', { chargeReference: undefined }),
  ]
  assert.deepEqual(compareCharges(ours, theirs, comparing), { differences: [], alike: 3, foreign: 0 })
})

test('a charge paid only at the network is reported, whether we know the attempt or not', () => {
  const theirs = [booked('1'), booked('2')]
  const { differences } = compareCharges([our('1', { charged: undefined })], theirs, comparing)
  assert.deepEqual(differences, [
    {
      kind: 'paid_there_only',
      at: ago(10 * day),
      there: { amountMinor: 1000n, currency: 'GBP' },
      reference: 'pi_1',
      merchantId: 12345678,
      txRef: 'order-1',
    },
    {
      kind: 'paid_there_only',
      at: ago(10 * day),
      there: { amountMinor: 1000n, currency: 'GBP' },
      reference: 'pi_2',
    },
  ])
})

test('a charge paid only here is reported, once the network had time to book it', () => {
  const ours = [our('1'), our('2', { at: ago(day - 1) }), our('3', { charged: undefined })]
  const { differences, alike } = compareCharges(ours, [], comparing)
  assert.deepEqual(
    differences.map(({ kind, reference, here }) => [kind, reference, here?.amountMinor]),
    [['paid_here_only', 'pi_1', 1000n]],
  )
  assert.equal(alike, 0)
})

test('differing amounts and currencies are reported, in what the customer paid', () => {
  const ours = ['1', '2', '3'].map((name) => our(name))
  const theirs = [
    booked('1', { money: { amountMinor: 999n, currency: 'GBP' } }),
    booked('2', { money: { amountMinor: 1000n, currency: 'EUR' } }),
    booked('3', {
      money: { amountMinor: 1150n, currency: 'EUR' },
      original: { amountMinor: 1000n, currency: 'GBP' },
    }),
  ]
  const { differences, alike } = compareCharges(ours, theirs, comparing)
  assert.deepEqual(
    differences.map(({ kind, reference }) => [kind, reference]),
    [
      ['amounts_differ', 'pi_1'],
      ['amounts_differ', 'pi_2'],
    ],
  )
  assert.equal(alike, 1)
})

test('a charge booked and reversed counts as none', () => {
  const back = booked('1', { reference: 'txn_back', money: { amountMinor: -1000n, currency: 'GBP' } })
  const [difference] = compareCharges([our('1')], [booked('1'), back], comparing).differences
  assert.equal(difference?.kind, 'paid_here_only')
  const declined = our('1', { charged: undefined })
  assert.deepEqual(compareCharges([declined], [booked('1'), back], comparing).differences, [])
})

test('other programs’ charges are counted but are no difference, if the network can tell them apart', () => {
  const theirs = [booked('shop', { idempotencyKey: undefined })]
  assert.deepEqual(compareCharges([], theirs, comparing), { differences: [], alike: 0, foreign: 1 })
  const unmarked = { ...comparing, marksCharges: false }
  assert.equal(compareCharges([], theirs, unmarked).differences[0]?.kind, 'paid_there_only')
})

test('charges in progress, earlier ones and other bookings are no difference', () => {
  const theirs = [
    booked('1', { at: ago(60_000) }),
    booked('2', { at: ago(31 * day) }),
    booked('3', { kind: 'payout' }),
    booked('4', { kind: 'fee' }),
  ]
  const ours = [our('5', { at: ago(31 * day) })]
  assert.deepEqual(compareCharges(ours, theirs, comparing).differences, [])
})

test('every time limit is exact', () => {
  const kindsOf = (ours: OurCharge[], theirs: Movement[]): string[] =>
    compareCharges(ours, theirs, comparing).differences.map(({ kind }) => kind)
  const underWay = 15 * 60_000
  assert.deepEqual(kindsOf([], [booked('1', { at: ago(underWay - 1) })]), [])
  assert.deepEqual(kindsOf([], [booked('1', { at: ago(underWay) })]), ['paid_there_only'])
  assert.deepEqual(kindsOf([our('1', { at: ago(day - 1) })], []), [])
  assert.deepEqual(kindsOf([our('1', { at: ago(day) })], []), ['paid_here_only'])
  for (const [ms, kinds] of [
    [30 * day, ['paid_there_only', 'paid_here_only']],
    [30 * day + 1, []],
  ] as const)
    assert.deepEqual(kindsOf([our('1', { at: ago(ms) })], [booked('2', { at: ago(ms) })]), kinds)
})

test('an earlier charge we have as paid is compared too, and differences are sorted by time', () => {
  const old = booked('1', { at: ago(31 * day), money: { amountMinor: 1n, currency: 'GBP' } })
  const unpaid = our('2', { charged: undefined })
  const theirs = [booked('3'), old, booked('2', { at: ago(31 * day) }), booked('4', { at: ago(20 * day) })]
  const { differences, alike } = compareCharges([our('1'), unpaid], theirs, comparing)
  assert.deepEqual(
    differences.map(({ kind, reference }) => [kind, reference]),
    [
      ['amounts_differ', 'pi_1'],
      ['paid_there_only', 'pi_4'],
      ['paid_there_only', 'pi_3'],
    ],
  )
  assert.equal(alike, 0)
})

test('a difference shows both sides in full', () => {
  const money = { amountMinor: 999n, currency: 'GBP' }
  const here = our('2', { references: [] })
  const { charged } = here
  const told = compareCharges([our('1'), here], [booked('1', { money })], comparing).differences
  const of = (name: string): object => ({ merchantId: 12345678, txRef: `order-${name}`, at: ago(10 * day) })
  assert.deepEqual(told, [
    { kind: 'amounts_differ', there: money, here: charged, reference: 'pi_1', ...of('1') },
    { kind: 'paid_here_only', here: charged, reference: 'key-2', ...of('2') },
  ])
})

test('a refunded and disputed charge still matches: outgoing money isn’t part of the charge', () => {
  const out = { money: { amountMinor: -1000n, currency: 'GBP' } }
  const theirs = [
    booked('1'),
    booked('1', { kind: 'refund', ...out }),
    booked('1', { kind: 'dispute', ...out }),
  ]
  assert.deepEqual(compareCharges([our('1')], theirs, comparing), { differences: [], alike: 1, foreign: 0 })
})
