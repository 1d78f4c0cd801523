import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { insertRows, openTwoMerchants, storedRows, type TwoMerchants } from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { findMerchantsToTell } from './dispute-look-store.ts'
import { claimToReport, findDisputed } from './dispute-store.ts'
import { listCardRefunds } from './refund-store.ts'
import { decideChallenge, deleteChargesOf, endOrShutOut, findCharge, listOfPayment } from './store.ts'

// Two merchants whose charges have the same names: `charged`, `asking` and `declined` are of the payment 1, `other` of 2.

let two: TwoMerchants
const at = new Date('2026-11-16T12:00:00.000Z')
const later = (ms: number): Date => new Date(at.getTime() + ms)
const minuteMs = 60_000

before(async () => {
  two = await openTwoMerchants()
})
after(() => two.close())
beforeEach(async () => {
  for (const merchant_id of [two.own, two.other]) {
    await two.db.query(sql`delete from test_network.card_refunds where merchant_id = ${merchant_id}`)
    await two.db.query(sql`delete from test_network.charges where merchant_id = ${merchant_id}`)
    const charges = [
      ['charged', '1', 'charged', 3],
      ['asking', '1', 'challenge', 2],
      ['declined', '1', 'declined', 1],
      ['other', '2', 'charged', 4],
    ] as const
    await insertRows(
      two.db,
      'test_network.charges',
      charges.map(([reference, payment_number, outcome, minute]) => ({
        merchant_id,
        idempotency_key: `key of ${reference}`,
        payment_number,
        reference,
        outcome,
        reason: outcome === 'declined' ? 'insufficient_funds' : null,
        amount_minor: BigInt(merchant_id),
        currency: 'GBP',
        told_from: at,
        received_at: later(minute * minuteMs),
      })),
    )
    await insertRows(
      two.db,
      'test_network.card_refunds',
      ['charged', 'other'].map((charge_reference) => ({
        merchant_id,
        idempotency_key: `refund of ${charge_reference}`,
        reference: `refund of ${charge_reference}`,
        charge_reference,
        amount_minor: BigInt(merchant_id),
        outcome: 'succeeded',
        requested_at: at,
        told_from: at,
      })),
    )
  }
})

const orderOf = (merchantId: number, name: string) => ({
  merchantId,
  paymentNumber: '1',
  idempotencyKey: `key of ${name}`,
})

async function outcomes(merchantId: number): Promise<string[]> {
  const charges = await listOfPayment(two.db, { merchantId, number: '1' })
  return charges.map(({ reference, outcome, reason }) => `${reference} ${reason ?? outcome}`)
}

const untouched = ['declined insufficient_funds', 'asking challenge', 'charged charged']

test('the charges of a payment are listed the oldest first, for their own merchant', async () => {
  for (const merchantId of [two.own, two.other]) {
    assert.deepEqual(await outcomes(merchantId), untouched)
    const found = await findCharge(two.db, orderOf(merchantId, 'charged'))
    assert.deepEqual([found?.reference, found?.amount_minor], ['charged', BigInt(merchantId)])
    const refunds = await listCardRefunds(two.db, { merchantId, reference: 'charged' })
    assert.deepEqual(
      refunds.map(({ reference, amount_minor }) => [reference, amount_minor]),
      [['refund of charged', BigInt(merchantId)]],
    )
  }
})

test('an answer to a challenge decides only its own charge', async () => {
  const refused = { outcome: 'declined', reason: 'challenge_refused' } as const
  for (const name of ['charged', 'asking', 'declined'])
    await decideChallenge(two.db, orderOf(two.own, name), refused)
  assert.deepEqual(await outcomes(two.own), [
    'declined insufficient_funds',
    'asking challenge_refused',
    'charged charged',
  ])
  assert.deepEqual(await outcomes(two.other), untouched)
})

test('withdrawing ends an open challenge, keeps decided charges and blocks orders that never arrived', async () => {
  const as = { reference: 'late', ended: 'challenge_abandoned', shutOut: 'processing_error', at } as const
  for (const name of ['charged', 'asking', 'declined', 'late'])
    await endOrShutOut(two.db, orderOf(two.own, name), as)
  assert.deepEqual((await outcomes(two.own)).toSorted(), [
    'asking challenge_abandoned',
    'charged charged',
    'declined insufficient_funds',
    'late processing_error',
  ])
  assert.deepEqual(await outcomes(two.other), untouched)
})

test('deleting a payment deletes its charges and their refunds, of this merchant alone', async () => {
  const tables = ['test_network.charges', 'test_network.card_refunds']
  const others = await Promise.all(tables.map(async (table) => storedRows(two.db, table, two.other)))
  await inTransaction(two.db, async (tx) =>
    deleteChargesOf(tx, { merchantId: two.own, numbers: ['1'], txRefs: [] }),
  )
  const left = await Promise.all(tables.map(async (table) => storedRows(two.db, table, two.own)))
  assert.deepEqual(
    left.map((rows) => rows.map((row) => (JSON.parse(row) as { reference: string }).reference)),
    [['other'], ['refund of other']],
  )
  assert.deepEqual(
    await Promise.all(tables.map(async (table) => storedRows(two.db, table, two.other))),
    others,
  )
})

test('news of disputes is claimed from the moment it is due, the oldest first, for one merchant at a time', async () => {
  for (const [merchantId, name, ms] of [
    [two.own, 'charged', 2_000],
    [two.own, 'other', 1_000],
    [two.other, 'charged', 1_000],
  ] as const)
    await two.db.query(sql`
      update test_network.charges set disputed = 'won', next_tell_at = ${later(ms)}
      where merchant_id = ${merchantId} and reference = ${name}`)
  const spans = { opensAfterMs: 5_000, decidedAfterMs: minuteMs, answerWithinMs: minuteMs, reviewMs: 1_000 }
  const claim = async (ms: number, max = 10): Promise<string[]> =>
    claimToReport(two.db, two.own, { now: later(ms), max, ...spans })
  assert.deepEqual(await findMerchantsToTell(two.db, later(999), 10), [])
  assert.deepEqual(await claim(999), [])
  assert.deepEqual(
    new Set(await findMerchantsToTell(two.db, later(1_000), 10)),
    new Set([two.own, two.other]),
  )
  assert.deepEqual(await claim(2_000, 1), ['other'])
  assert.deepEqual(await claim(2_000, 1), ['charged'])
  assert.deepEqual(await claim(2_000), [])
  assert.deepEqual(await findMerchantsToTell(two.db, later(2_000), 10), [two.other])
})

test('a dispute belongs to this merchant’s paid charge that the bank disputes', async () => {
  await two.db.query(sql`
    update test_network.charges set disputed = 'lost'
    where merchant_id = ${two.own} and reference = any(${['charged', 'asking']}::text[])`)
  const find = async (merchantId: number, reference: string) =>
    (await findDisputed(two.db, merchantId, reference))?.amount_minor
  assert.deepEqual(
    [
      await find(two.own, 'charged'),
      await find(two.own, 'asking'),
      await find(two.own, 'other'),
      await find(two.other, 'charged'),
    ],
    [BigInt(two.own), undefined, undefined, undefined],
  )
})
