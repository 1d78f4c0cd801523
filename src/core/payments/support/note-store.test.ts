import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumbers,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import type { PaymentKey } from '../store.ts'
import {
  countNotes,
  deleteNote,
  insertNote,
  listNotes,
  listNotesOf,
  replaceNote,
  type NoteRow,
} from './note-store.ts'

// Both merchants have the same payments with the same notes.

let merchants: TwoMerchants
const [first, second, silent] = paymentNumbers(1, 2, 3)
const at = (of: number): Date => new Date(Date.UTC(2020, 10, 16, 12, 0, of))
const notes = [
  { id: 'note_2', created_at: at(2) },
  { id: 'note_1', created_at: at(2) },
  { id: 'note_3', created_at: at(1) },
]
const idsInOrder = ['note_3', 'note_1', 'note_2']

before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const payments = [own, other].flatMap((merchant_id) =>
    [first, second, silent].map((number) => ({ merchant_id, number })),
  )
  await insertRows(db, 'payments', payments.map(paymentRow))
  const noted = payments.filter(({ number }) => number !== silent)
  await insertRows(
    db,
    'payment_notes',
    noted.flatMap((row) => notes.map((note) => ({ ...row, ...note, author: 'per_1', text: 'Hello' }))),
  )
})
after(() => merchants.close())

const idsOf = (rows: readonly NoteRow[]): string[] => rows.map(({ id }) => id)

test('a payment’s notes are counted and listed in the order they were written', async () => {
  const { db, own } = merchants
  const read = async (key: PaymentKey): Promise<unknown[]> => [
    await countNotes(db, key),
    idsOf(await listNotes(db, key)),
  ]
  const key = { merchantId: own, number: first }
  assert.deepEqual(await read(key), [3, idsInOrder])
  assert.deepEqual(await read({ ...key, number: silent }), [0, []])
  await inTransaction(db, async (tx) => insertNote(tx, key, { id: 'note_4', author: 'per_2', text: 'Well' }))
  assert.deepEqual(await read(key), [4, [...idsInOrder, 'note_4']])
  for (const another of [
    { ...key, merchantId: merchants.other },
    { ...key, number: second },
  ])
    assert.deepEqual(await read(another), [3, idsInOrder])
  assert.equal(
    await inTransaction(db, async (tx) => deleteNote(tx, key, { id: 'note_4', author: 'per_2' })),
    true,
  )
})

test('notes of several payments are listed for one merchant, in one order', async () => {
  for (const [own] of merchants.both) {
    const listed = async (...numbers: string[]): Promise<string[]> =>
      (await listNotesOf(merchants.db, own, numbers)).map((note) => `${note.id} ${note.number}`)
    assert.deepEqual(await listed(second, silent), [
      `note_3 ${second}`,
      `note_1 ${second}`,
      `note_2 ${second}`,
    ])
    const both = await listed(second, first)
    assert.deepEqual(
      both.map((name) => name.split(' ')[0]),
      idsInOrder.flatMap((id) => [id, id]),
    )
  }
})

test('a note is replaced or deleted by payment and id, and deleted only by its author', async () => {
  const { db } = merchants
  for (const [own, other] of merchants.both) {
    const key = { merchantId: own, number: first }
    const others = await storedRows(db, 'payment_notes', other)
    const remove = async (of: PaymentKey, author: string, id = 'note_1'): Promise<boolean> =>
      inTransaction(db, async (tx) => deleteNote(tx, of, { id, author }))
    await inTransaction(db, async (tx) => replaceNote(tx, { ...key, id: 'note_1' }, 'Good bye'))
    const texts = async (number: string): Promise<string[]> =>
      (await listNotes(db, { ...key, number })).map(({ text }) => text)
    assert.deepEqual(await texts(first), ['Hello', 'Good bye', 'Hello'])
    assert.deepEqual(await texts(second), ['Hello', 'Hello', 'Hello'])

    assert.equal(await remove(key, 'per_2'), false)
    assert.equal(await remove({ ...key, number: silent }, 'per_1'), false)
    assert.equal(await remove(key, 'per_1'), true)
    assert.equal(await remove(key, 'per_1'), false)
    assert.deepEqual(idsOf(await listNotes(db, key)), ['note_3', 'note_2'])
    assert.deepEqual(idsOf(await listNotes(db, { ...key, number: second })), idsInOrder)
    assert.deepEqual(await storedRows(db, 'payment_notes', other), others)
    await insertRows(db, 'payment_notes', [
      { merchant_id: own, number: first, ...notes[1], author: 'per_1', text: 'Hello' },
    ])
  }
})
