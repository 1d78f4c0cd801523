import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentNumbers,
  paymentRow,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { findMerchantsThrough } from './account-look-store.ts'
import { listCharges, listNamed, listPaidCharges } from './charge-store.ts'

// Two merchants with the same payments through accounts of the same names: only their order references tell them apart.

let merchants: TwoMerchants
const [paid, cash, open, old] = paymentNumbers(1, 2, 3, 4)
const numbers = [open, cash, paid, old]
const since = new Date('2026-11-16T12:00:00.000Z')
const justBefore = new Date(since.getTime() - 1)
const beginning = { number: '', attempt: 0 }

before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  await insertRows(
    db,
    'payments',
    [own, other].flatMap((merchant_id) =>
      numbers.map((number) => paymentRow({ merchant_id, number, tx_ref: txRefOf(merchant_id, number) })),
    ),
  )
  const charge = { state: 'declined', account_id: 'acc_one', started_at: since }
  await insertRows(
    db,
    'attempts',
    [own, other].flatMap((merchant_id) => [
      attemptRow({ ...charge, merchant_id, number: open, attempt: 2, charge_reference: 'ch_open' }),
      attemptRow({ ...charge, merchant_id, number: open, attempt: 1 }),
      attemptRow({ ...charge, merchant_id, number: paid, state: 'succeeded', charge_reference: 'ch_paid' }),
      attemptRow({ ...charge, merchant_id, number: paid, attempt: 2, account_id: 'acc_two' }),
      attemptRow({ ...charge, merchant_id, number: cash, state: 'succeeded', account_id: null }),
      attemptRow({ ...charge, merchant_id, number: old, started_at: justBefore, charge_reference: 'ch_old' }),
    ]),
  )
})
after(() => merchants.close())

function txRefOf(merchantId: number, number: string): string {
  return `${merchantId} ${number}`
}

test('charges of a merchant and account since a moment are read in order, after the given one', async () => {
  for (const [own] of merchants.both) {
    const charges = async (from: Date, behind = beginning): Promise<unknown[]> =>
      (await listCharges(merchants.db, own, 'acc_one', { since: from, after: behind })).map(
        ({ number, attempt, tx_ref }) => [number, attempt, tx_ref],
      )
    const charge = (number: string, attempt: number) => [number, attempt, txRefOf(own, number)]
    assert.deepEqual(await charges(since), [charge(paid, 1), charge(open, 1), charge(open, 2)])
    assert.equal((await charges(justBefore)).length, 4)
    assert.deepEqual(await charges(since, { number: open, attempt: 1 }), [charge(open, 2)])
    assert.deepEqual(await charges(since, { number: paid, attempt: 2 }), [charge(open, 1), charge(open, 2)])
  }
})

test('a payment’s charge is its successful attempt through an account', async () => {
  for (const [own] of merchants.both) {
    const asked = [open, cash, paid]
    assert.deepEqual(await listPaidCharges(merchants.db, own, asked), [
      { number: paid, account_id: 'acc_one', charge_reference: 'ch_paid' },
    ])
    assert.deepEqual(await listPaidCharges(merchants.db, own, [open, cash]), [])
  }
  const { db, own, other } = merchants
  const alone = paymentNumber(5)
  await insertRows(db, 'payments', [paymentRow({ merchant_id: other, number: alone })])
  await insertRows(db, 'attempts', [
    attemptRow({ merchant_id: other, number: alone, state: 'succeeded', account_id: 'acc_one' }),
  ])
  assert.deepEqual(await listPaidCharges(db, own, [alone]), [])
})

test('charges are found by reference, however old, with their own merchant’s order', async () => {
  for (const [own] of merchants.both) {
    const named = await listNamed(merchants.db, own, ['ch_old', 'ch_paid', 'ch_nobody'])
    assert.deepEqual(
      new Set(named.map((row) => `${row.charge_reference} ${row.tx_ref}`)),
      new Set([`ch_old ${txRefOf(own, old)}`, `ch_paid ${txRefOf(own, paid)}`]),
    )
    assert.equal(named.length, 2)
  }
})

test('merchants that used an account since a moment are found by both', async () => {
  const { db, own, other } = merchants
  const through = async (accountId: string, from: Date): Promise<number[]> =>
    (await findMerchantsThrough(db, accountId, from)).toSorted((one, two) => one - two)
  const number = paymentNumber(6)
  await insertRows(db, 'payments', [paymentRow({ merchant_id: own, number })])
  await insertRows(db, 'attempts', [
    attemptRow({
      merchant_id: own,
      number,
      state: 'declined',
      account_id: 'acc_three',
      started_at: justBefore,
    }),
  ])
  assert.deepEqual(await through('acc_one', since), [own, other])
  assert.deepEqual(await through('acc_three', since), [])
  assert.deepEqual(await through('acc_three', justBefore), [own])
})

test('more charges than one page are read in pages, each once', async () => {
  const { db, own } = merchants
  const numbersOfMany = Array.from({ length: 11 }, (_, index) => paymentNumber(100 + index))
  await insertRows(
    db,
    'payments',
    numbersOfMany.map((number) => paymentRow({ merchant_id: own, number })),
  )
  await insertRows(
    db,
    'attempts',
    numbersOfMany.flatMap((number) =>
      Array.from({ length: 100 }, (_, index) =>
        attemptRow({
          merchant_id: own,
          number,
          attempt: index + 1,
          state: 'declined',
          account_id: 'acc_many',
          started_at: since,
        }),
      ),
    ),
  )
  const page = await listCharges(db, own, 'acc_many', { since, after: beginning })
  const last = page.at(-1)
  assert.ok(last)
  const rest = await listCharges(db, own, 'acc_many', { since, after: last })
  assert.deepEqual([page.length, rest.length], [1_000, 100])
  assert.equal(new Set([...page, ...rest].map(({ number, attempt }) => `${number} ${attempt}`)).size, 1_100)
})
