import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { storedRows } from '../../../../test/support/rows.ts'
import { openTill, type Till } from '../../../../test/support/till.ts'
import type { Actor } from '../../audit/audit.ts'
import type { PaymentKey } from '../store.ts'
import { listNotes } from './note-store.ts'
import { addNote, takeBackNote } from './notes.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const ada: Actor = { kind: 'person', name: 'usr_ada' }
const bob: Actor = { kind: 'person', name: 'usr_bob' }

const add = async (key: PaymentKey, id: string, typed: string, by = ada): Promise<void> =>
  addNote(till.db, key, { id, typed }, by)

const texts = async (key: PaymentKey): Promise<string[]> =>
  (await listNotes(till.db, key)).map(({ author, text }) => `${author}: ${text}`)

const acts = async (): Promise<unknown[]> =>
  (await storedRows(till.db, 'audit_log', till.merchantId)).map((row) => JSON.parse(row) as unknown)

test('a note is trimmed, stored once, and audited without its text', async () => {
  const payment = await till.newPayment()
  const actsBefore = (await acts()).length
  await add(payment, 'n1', ' Called.\r\nWill pay\ttomorrow ')
  await add(payment, 'n1', 'sent twice')
  await add(payment, 'n2', 'Paid', bob)
  assert.deepEqual(await texts(payment), ['usr_ada: Called.\nWill pay\ttomorrow', 'usr_bob: Paid'])
  const written = await acts()
  assert.equal(written.length, actsBefore + 2)
  assert.ok(!JSON.stringify(written).includes('Called'))
})

test('a note has at most 2,000 characters and no card numbers', async () => {
  const payment = await till.newPayment()
  for (const [typed, message] of [
    ['', 'Write something first'],
    [' \r\n ', 'Write something first'],
    ['x'.repeat(2_001), 'A note can have 2,000 characters'],
    ['a\0b', 'The note contains invalid characters'],
    ['a\u001bb', 'The note contains invalid characters'],
    ['a\ud800b', 'The note contains invalid characters'],
    ['4242 4242 4242 4242', "Don't write card numbers here: the last four digits are enough"],
  ] as const)
    await assert.rejects(add(payment, 'n', typed), { code: 'validation_failed', message }, typed.slice(0, 9))
  assert.deepEqual(await texts(payment), [])
  await add(payment, 'n', '🙂'.repeat(2_000))
  assert.equal((await texts(payment)).length, 1)
})

test('a payment has at most a hundred notes, and a repeated one adds none', async () => {
  const payment = await till.newPayment()
  for (let count = 0; count < 100; count += 1) await add(payment, `n${count}`, 'x')
  await add(payment, 'n99', 'sent twice')
  await assert.rejects(add(payment, 'n100', 'x'), {
    message: 'A payment can have 100 notes. Delete one of yours first',
  })
  await takeBackNote(till.db, payment, 'n0', ada)
  await add(payment, 'n100', 'x')
  assert.equal((await texts(payment)).length, 100)
})

test('a note can be withdrawn only by its author', async () => {
  const payment = await till.newPayment()
  await add(payment, 'n1', 'Called')
  const actsBefore = (await acts()).length
  const gone = { code: 'not_found', message: 'Note not found' }
  const unknown = { merchantId: till.merchantId, number: '0'.repeat(24) }
  await assert.rejects(takeBackNote(till.db, payment, 'n1', bob), gone)
  await assert.rejects(takeBackNote(till.db, payment, 'n2', ada), gone)
  await assert.rejects(takeBackNote(till.db, unknown, 'n1', ada), gone)
  await assert.rejects(add(unknown, 'n1', 'x'), { code: 'not_found', message: 'Transaction not found' })
  assert.deepEqual([await texts(payment), (await acts()).length], [['usr_ada: Called'], actsBefore])
  await takeBackNote(till.db, payment, 'n1', ada)
  assert.deepEqual([await texts(payment), (await acts()).length], [[], actsBefore + 1])
})
