import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openHouse, type House } from '../../../test/support/house.ts'
import {
  attemptRow,
  disputeRow,
  insertRows,
  paymentNumber,
  paymentRow,
  refundRow,
  type Values,
} from '../../../test/support/rows.ts'
import { inTransaction, type Queryable } from '../database/database.ts'
import { createMerchant } from '../../core/merchants/create-merchant.ts'
import type { Job } from './job.ts'
import { findNextDue } from './next-due-look-store.ts'

let house: House
let resting: readonly Job[]
let other: number

before(async () => {
  house = await openHouse()
  other = await createMerchant(house.db, { name: 'Other' })
  resting = house.app.jobs.filter(({ nextDue }) => nextDue !== undefined)
})

after(() => house.close())

const soon = new Date('2026-11-15T12:00:00Z')
const later = new Date('2026-11-15T13:00:00Z')
const number = paymentNumber(1)

/** What makes a job due at `at`. */
const rows: Readonly<Record<string, (merchant_id: number, at: Date) => Readonly<Record<string, Values>>>> = {
  expire: (merchant_id, at) => ({ payments: paymentRow({ merchant_id, number, expires_at: at }) }),
  reconcile: (merchant_id, at) => ({
    payments: paymentRow({ merchant_id, number, state: 'success' }),
    attempts: attemptRow({ merchant_id, number, state: 'unknown', next_check_at: at }),
  }),
  refunds: (merchant_id, at) => ({
    payments: paymentRow({ merchant_id, number, state: 'success' }),
    refunds: refundRow({ merchant_id, number, name: 'a', next_check_at: at }),
  }),
  disputes: (merchant_id, at) => ({
    payments: paymentRow({ merchant_id, number, state: 'success' }),
    disputes: disputeRow({ merchant_id, number, name: 'a', next_check_at: at }),
  }),
  'news of disputes': (merchant_id, at) => ({
    'test_network.charges': {
      merchant_id,
      idempotency_key: 'a',
      payment_number: number,
      reference: 'a',
      outcome: 'charged',
      amount_minor: 100n,
      told_from: at,
      received_at: at,
      next_tell_at: at,
    },
  }),
  callbacks: (merchant_id, at) => ({
    callback_events: {
      merchant_id,
      account_id: 'acc_1',
      event_id: 'a',
      connector: 'stripe',
      about: 'order',
      next_try_at: at,
      received_at: at,
    },
  }),
  payouts: (merchant_id, at) => ({
    payout_feeds: { merchant_id, account_id: 'acc_1', connector: 'stripe', mode: 'live', next_check_at: at },
  }),
  'saved-methods': (merchant_id, at) => ({
    saved_methods: {
      merchant_id,
      id: 'a',
      mode: 'test',
      customer_ref: 'a',
      agreement: 'recurring',
      limit_currency: 'GBP',
      number,
      connector: 'test-network',
      kind: 'card',
      token: Buffer.from('a'),
      forget_at: at,
    },
  }),
  links: (merchant_id, at) => ({
    links: {
      merchant_id,
      id: 'a',
      mode: 'test',
      kind: 'single',
      asks_customer: false,
      title: 'Chair',
      currency: 'GBP',
      created_at: at,
    },
    link_payments: { merchant_id, link_id: 'a', tx_ref: 'a', created_at: at, look_at: at },
  }),
}

async function nextDueOf(db: Queryable, name: string): Promise<Date | undefined> {
  const job = resting.find((each) => each.name === name)
  const times = await findNextDue(db, job?.nextDue ?? [])
  return times.filter((time) => time !== undefined).toSorted((one, two) => Number(one) - Number(two))[0]
}

const rolledBack = new Error('rolled back')

for (const [name, make] of Object.entries(rows)) {
  test(`the job is due when the first of its rows is: ${name}`, async () => {
    const job = name === 'news of disputes' ? 'disputes' : name
    const trying = inTransaction(house.db, async (tx) => {
      assert.equal(await nextDueOf(tx, job), undefined)
      const made = [make(house.merchantId, later), make(other, soon)]
      for (const [table, row] of made.flatMap(Object.entries<Values>)) await insertRows(tx, table, [row])
      assert.deepEqual(await nextDueOf(tx, job), soon)
      throw rolledBack
    })
    await assert.rejects(trying, rolledBack)
  })
}

test('every job that rests is tried above, but for totals, which are due as soon as there are any', async () => {
  const names = resting.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name) => !(name in rows)),
    ['fold totals'],
  )
  const trying = inTransaction(house.db, async (tx) => {
    assert.equal(await nextDueOf(tx, 'fold totals'), undefined)
    const change = { merchant_id: other, mode: 'test', currency: 'GBP', day: '2026-11-15' }
    await insertRows(tx, 'daily_total_changes', [change])
    assert.deepEqual(await nextDueOf(tx, 'fold totals'), new Date(0))
    throw rolledBack
  })
  await assert.rejects(trying, rolledBack)
})
