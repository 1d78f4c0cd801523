import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  lockedNumbers,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  storedRows,
  type TwoMerchants,
  type Values,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { lockPayment } from '../store.ts'
import { deletePayments, findOld, lockOld } from './old-tests-store.ts'

const noon = new Date('2026-11-16T12:00:00.000Z')
const ago = (ms: number): Date => new Date(noon.getTime() - ms)
const old = { state: 'cancelled', created_at: ago(3), updated_at: ago(1) }

// Of each of these the own merchant's attempt has ended, and the other merchant's has not.
const endedStates = ['succeeded', 'declined', 'abandoned', 'returned', 'left_open']
const gone: readonly Values[] = [
  old,
  { ...old, created_at: ago(1) },
  old,
  { ...old, created_at: ago(4) },
  { ...old, created_at: ago(5) },
]
const goneInOrder = [5, 4, 1, 3, 2].map(paymentNumber)
// Of each of these it is the other way round.
const openStates = ['started', 'action_required', 'submitted', 'unknown', 'held', 'surplus']
const openNumbers = openStates.map((_, index) => paymentNumber(11 + index))
// Each stays for one reason.
const kept: readonly Values[] = [
  { ...old, state: 'pending' },
  { ...old, mode: 'live' },
  { ...old, created_at: noon },
  { ...old, updated_at: noon },
]

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const numbered = [
    ...gone.map((row, index) => ({ ...row, number: paymentNumber(index + 1) })),
    ...openNumbers.map((number) => ({ ...old, number })),
    ...kept.map((row, index) => ({ ...row, number: paymentNumber(index + 21) })),
  ]
  await insertRows(
    db,
    'payments',
    [own, other].flatMap((merchant_id) => numbered.map((row) => paymentRow({ ...row, merchant_id }))),
  )
  const attempts = [
    ...endedStates.map((state, index) => ({ merchant_id: own, number: paymentNumber(index + 1), state })),
    ...endedStates.map((_, index) => ({
      merchant_id: other,
      number: paymentNumber(index + 1),
      state: 'unknown',
    })),
    ...openStates.map((state, index) => ({ merchant_id: own, number: paymentNumber(index + 11), state })),
  ]
  await insertRows(db, 'attempts', attempts.map(attemptRow))
})
after(() => merchants.close())

const numbersOf = (rows: readonly { number: string }[]): string[] => rows.map(({ number }) => number)

test('old tests are test payments that ended, with all their attempts, before a moment, oldest first', async () => {
  const { db, own, other } = merchants
  for (const find of [
    async (merchantId: number, max: number) => findOld(db, { merchantId, before: noon, max }),
    async (merchantId: number, max: number) =>
      inTransaction(db, async (tx) => lockOld(tx, { merchantId, before: noon, max })),
  ]) {
    const found = await find(own, 100)
    assert.deepEqual(
      found,
      goneInOrder.map((number) => ({ number, tx_ref: `order-${number}` })),
    )
    assert.deepEqual(numbersOf(await find(own, 2)), goneInOrder.slice(0, 2))
    assert.deepEqual(numbersOf(await find(other, 100)), openNumbers)
  }
})

test('old tests are locked, except those locked by others', async () => {
  const { db, own, other } = merchants
  const [oldest = '', ...rest] = goneInOrder
  await inTransaction(db, async (holder) => {
    await lockPayment(holder, { merchantId: own, number: oldest })
    await inTransaction(db, async (tx) => {
      await tx.query(sql`set local lock_timeout = '1s'`)
      assert.deepEqual(numbersOf(await lockOld(tx, { merchantId: own, before: noon, max: 100 })), rest)
      assert.deepEqual(await lockedNumbers(db, own), goneInOrder.toSorted())
      assert.deepEqual(await lockedNumbers(db, other), [])
    })
  })
})

test('only rows of the named test payments of one merchant are deleted', async () => {
  const { db, own, other } = merchants
  const numbers = [paymentNumber(31), paymentNumber(32)] as const
  const named = [own, other].flatMap((merchant_id) => numbers.map((number) => ({ merchant_id, number })))
  const moved = { id: 1, event: 'paid', from_state: 'pending', to_state: 'success' }
  await insertRows(db, 'payments', named.map(paymentRow))
  await insertRows(
    db,
    'attempts',
    named.map((row) => attemptRow({ ...row, state: 'declined' })),
  )
  await insertRows(
    db,
    'payment_history',
    named.map((row) => ({ ...row, ...moved })),
  )
  await insertRows(
    db,
    'payment_notes',
    named.map((row) => ({ ...row, id: 'note', author: 'per_1', text: 'Hello' })),
  )
  const refusals = named.flatMap(({ merchant_id, number }) =>
    ['test', 'live'].map((mode) => ({ merchant_id, mode, tx_ref: `order-${number}`, request_id: number })),
  )
  const told = { at: noon, code: 'refused', message: 'No' }
  await insertRows(
    db,
    'form_refusals',
    refusals.map((row) => ({ ...row, ...told })),
  )
  const tables = ['payments', 'attempts', 'payment_history', 'payment_notes', 'form_refusals']
  const stored = async (merchantId: number): Promise<string[]> =>
    (await Promise.all(tables.map(async (table) => storedRows(db, table, merchantId)))).flat()
  const [rows, others] = [await stored(own), await stored(other)]

  const [number] = numbers
  await inTransaction(db, async (tx) =>
    deletePayments(tx, { merchantId: own, numbers: [number], txRefs: [`order-${number}`] }),
  )
  const isLiveRefusal = (row: string): boolean => /"mode":"live".*"request_id"/.test(row)
  assert.deepEqual(
    await stored(own),
    rows.filter((row) => !row.includes(number) || isLiveRefusal(row)),
  )
  assert.equal((await stored(own)).length, rows.length - tables.length)
  assert.deepEqual(await stored(other), others)
})
