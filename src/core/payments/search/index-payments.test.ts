import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { customerToErase } from '../../../../test/support/customer-to-erase.ts'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { personalPayments } from '../data/personal.ts'
import { deletePayments } from '../data/old-tests-store.ts'
import { indexAgain, indexPayments } from './index-payments.ts'
import { findMerchantsToIndex } from './unindexed-look-store.ts'

// One merchant has 501 payments of test mode and one of live mode; one more was created this moment.

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1) + second * 1_000)
let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own } = merchants
  const rows = Array.from({ length: 501 }, (_, place) =>
    paymentRow({ merchant_id: own, number: paymentNumber(place), created_at: at(Math.floor(place / 2)) }),
  )
  await insertRows(db, 'payments', [
    ...rows,
    paymentRow({ merchant_id: own, number: paymentNumber(900), mode: 'live', created_at: at(0) }),
    paymentRow({
      merchant_id: own,
      number: paymentNumber(901),
      mode: 'live',
      tx_ref: 'now',
      created_at: new Date(),
    }),
  ])
})
after(() => merchants.close())

async function entries(where = sql`true`): Promise<{ number: string; text: string }[]> {
  return merchants.db.query(sql`
    select number, text from search_entries where merchant_id = ${merchants.own} and ${where} order by number`)
}

test('payments get their entries in steps, each once, a minute after they were created', async () => {
  const { db, own } = merchants
  assert.deepEqual(await findMerchantsToIndex(db, 10), [own])
  assert.equal(await indexPayments(db, own), 501)
  assert.equal(await indexPayments(db, own), 1)
  assert.equal(await indexPayments(db, own), 0)
  assert.deepEqual(await findMerchantsToIndex(db, 10), [])
  const numbers = (await entries()).map(({ number }) => number)
  assert.deepEqual([numbers.length, numbers.at(-1)], [502, paymentNumber(900)])
})

test('of an erased customer no word stays in the entries', async () => {
  const { db, own } = merchants
  const number = paymentNumber(7)
  const isThis = sql`number = ${number}`
  const [{ text } = assert.fail()] = await entries(isThis)
  assert.match(text, /ada lovelace\nada@example.com\n/)
  const customer = customerToErase({ merchantId: own, numbers: [number] })
  await inTransaction(db, async (tx) => personalPayments(indexAgain).erase(tx, customer))
  const [{ text: erased } = assert.fail()] = await entries(isThis)
  assert.match(erased, /^erased erased\nerased@florin\.invalid\norder-/)
  const same = await db.query(sql`
    select from search_entries as one join search_entries as other on other.merchant_id = ${own} and other.number = ${paymentNumber(8)}
    where one.merchant_id = ${own} and one.number = ${number} and one.grams @> other.grams`)
  assert.equal(same.length, 0)
})

test('an entry goes with its payment', async () => {
  const { db, own } = merchants
  const number = paymentNumber(9)
  await inTransaction(db, async (tx) =>
    deletePayments(tx, { merchantId: own, numbers: [number], txRefs: [] }),
  )
  assert.deepEqual(await entries(sql`number = ${number}`), [])
})

test('a look finds each merchant with payments to index, of either mode, up to a limit', async () => {
  const { db, own, other } = merchants
  const waiting = { mode: 'live', created_at: at(10_000) }
  await insertRows(db, 'payments', [
    paymentRow({ merchant_id: own, number: paymentNumber(910), ...waiting }),
    paymentRow({ merchant_id: other, number: paymentNumber(911), ...waiting }),
  ])
  assert.deepEqual(await findMerchantsToIndex(db, 10), [own, other])
  assert.deepEqual(await findMerchantsToIndex(db, 1), [own])
  await indexPayments(db, own)
  assert.deepEqual(await findMerchantsToIndex(db, 10), [other])
})
