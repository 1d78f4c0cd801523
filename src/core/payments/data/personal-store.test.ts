import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  attemptRow,
  insertRows,
  lockedNumbers,
  openTwoMerchants,
  paymentNumber,
  paymentNumbers,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import {
  findByEmail,
  findNamedBefore,
  forgetTraces,
  listRefusedForms,
  listTexts,
  readAttempts,
  readPayments,
  replacePersons,
  replaceRefusedForm,
} from './personal-store.ts'

// Two merchants with the same payments and attempts, each of which differs from the ones before it in one thing. They are
// written backwards, so that what is read in order was put in order.

const noon = new Date('2026-11-16T12:00:00.000Z')
const justBefore = new Date(noon.getTime() - 1)
const earlier = new Date(noon.getTime() - 2)
const ended = { state: 'cancelled', created_at: justBefore }
const payments = [
  { ...ended },
  { ...ended, email: 'ADA@Example.com' },
  { ...ended, email: 'grace@example.com', created_at: earlier },
  { ...ended, mode: 'live' },
  { ...ended, created_at: noon },
  { ...ended, state: 'pending' },
  { ...ended, email: 'erased@example.com' },
].map((row, index) => ({ ...row, number: paymentNumber(index + 1) }))
const [first, second, third, ofLive, late, pending] = paymentNumbers(1, 2, 3, 4, 5, 6)
const missing = paymentNumber(99)

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const rows = [own, other].flatMap((merchant_id) => payments.map((row) => ({ ...row, merchant_id })))
  const backwards = rows.toReversed()
  await insertRows(
    db,
    'payments',
    backwards.map((row) =>
      paymentRow({ ...row, tx_ref: `${row.merchant_id} ${row.number}`, title: 'For Ada' }),
    ),
  )
  await insertRows(
    db,
    'attempts',
    backwards.flatMap(({ merchant_id, number }) =>
      [2, 1].map((attempt) => attemptRow({ merchant_id, number, attempt, state: 'declined' })),
    ),
  )
})
after(() => merchants.close())

const numbersOf = (rows: readonly { number: string }[]): string[] => rows.map(({ number }) => number)

test('a customer’s payments are found by e-mail address in any case, in both modes, in order and page by page', async () => {
  for (const [own] of merchants.both) {
    const found = async (behind: string, max: number): Promise<string[]> =>
      numbersOf(
        await findByEmail(merchants.db, { merchantId: own, email: 'Ada@example.COM', after: behind, max }),
      )
    assert.deepEqual(await found('', 100), [first, second, ofLive, late, pending])
    assert.deepEqual(await found('', 2), [first, second])
    assert.deepEqual(await found(second, 100), [ofLive, late, pending])
  }
})

test('payments with personal data that ended before a moment are found by mode, oldest first', async () => {
  for (const [own] of merchants.both) {
    const named = async (mode: 'test' | 'live', max: number): Promise<string[]> =>
      numbersOf(
        await findNamedBefore(merchants.db, {
          merchantId: own,
          mode,
          before: noon,
          max,
          erased: 'erased@example.com',
        }),
      )
    assert.deepEqual(await named('test', 100), [third, first, second])
    assert.deepEqual(await named('test', 2), [third, first])
    assert.deepEqual(await named('live', 100), [ofLive])
  }
})

test('the requested payments, attempts and references of one merchant are read in order', async () => {
  const { db } = merchants
  const asked = [second, third, missing]
  for (const [own] of merchants.both) {
    const rows = (await readPayments(db, own, asked)) as { merchant_id: number; number: string }[]
    assert.deepEqual(
      rows.map((row) => [row.merchant_id, row.number]),
      [
        [own, third],
        [own, second],
      ],
    )
    const attempts = (await readAttempts(db, own, asked)) as {
      merchant_id: number
      number: string
      attempt: number
    }[]
    assert.deepEqual(
      attempts.map((row) => [row.merchant_id, row.number, row.attempt]),
      [second, third].flatMap((number) => [1, 2].map((attempt) => [own, number, attempt])),
    )
  }
})

test('texts are read in order, locked, and replaced with the customer only on their own payments', async () => {
  const { db } = merchants
  for (const [own, other] of merchants.both) {
    const others = await storedRows(db, 'payments', other)
    await inTransaction(db, async (tx) => {
      const texts = await listTexts(tx, own, [second, first, missing])
      assert.deepEqual(
        texts.map(({ number, title }) => [number, title]),
        [
          [first, 'For Ada'],
          [second, 'For Ada'],
        ],
      )
      assert.deepEqual(await lockedNumbers(db, own), [first, second])
      assert.deepEqual(await lockedNumbers(db, other), [])
      const replaced = texts.map((text) => ({ ...text, title: `${text.number} for nobody` }))
      assert.equal(await replacePersons(tx, own, replaced, { email: 'x@example.com', name: 'Erased' }), 2)
    })
    const changed = await db.query(sql`
      select number, title, email, first_name, last_name from payments
      where merchant_id = ${own} and (title <> 'For Ada' or first_name <> 'Ada') order by number`)
    const nobody = { email: 'x@example.com', first_name: 'Erased', last_name: 'Erased' }
    assert.deepEqual(
      changed,
      [first, second].map((number) => ({ number, title: `${number} for nobody`, ...nobody })),
    )
    assert.deepEqual(await storedRows(db, 'payments', other), others)
  }
})

test('an erased customer is no longer named by the shop’s own name, and nothing else of a saved method changes', async () => {
  const { db, own } = merchants
  const savings = [
    [{ customerRef: 'ada', method: { id: 'svm_1' } }, { method: { id: 'svm_1' } }],
    [
      { asked: { agreement: 'recurring', customerRef: 'ada' } },
      { asked: { agreement: 'recurring', customerRef: 'erased' } },
    ],
    [{ charges: 'svm_1' }, { charges: 'svm_1' }],
    [null, null],
  ] as const
  const numbers = savings.map((_, index) => paymentNumber(index + 71))
  await insertRows(
    db,
    'payments',
    savings.map(([saving], index) => {
      const number = numbers[index] ?? ''
      return paymentRow({ merchant_id: own, number, saving: saving && JSON.stringify(saving) })
    }),
  )
  await inTransaction(db, async (tx) => {
    const texts = await listTexts(tx, own, numbers)
    await replacePersons(tx, own, texts, { email: 'x@example.com', name: 'Erased' })
  })
  const rows = await db.query<{ saving: unknown }>(sql`
    select saving from payments where merchant_id = ${own} and number = any(${numbers}::text[]) order by number`)
  assert.deepEqual(
    rows.map(({ saving }) => saving),
    savings.map(([, expected]) => expected),
  )
})

test('traces of finished attempts of the named payments are erased', async () => {
  const { db, own, other } = merchants
  const forgotten = ['succeeded', 'declined', 'abandoned', 'surplus', 'returned', 'left_open']
  const states = [...forgotten, 'started', 'action_required', 'submitted', 'unknown', 'held', 'declined']
  const rows = [own, other].flatMap((merchant_id) =>
    states.map((state, index) => ({ merchant_id, number: paymentNumber(index + 21), state })),
  )
  await insertRows(
    db,
    'payments',
    rows.map(({ merchant_id, number }) => paymentRow({ merchant_id, number })),
  )
  const traces = { address_hash: 'a', card_fingerprint: 'c', challenged_from: 'a', page_url: 'https://bank' }
  await insertRows(
    db,
    'attempts',
    rows.map((row) => attemptRow({ ...row, ...traces })),
  )
  const others = await storedRows(db, 'attempts', other)
  const numbers = rows.filter((row) => row.merchant_id === own).map(({ number }) => number)
  const asked = numbers.slice(0, -1)
  assert.equal(await inTransaction(db, async (tx) => forgetTraces(tx, own, asked)), forgotten.length)
  const traced = await db.query<{ number: string }>(sql`
    select number from attempts where merchant_id = ${own} and page_url is not null order by number`)
  assert.deepEqual(numbersOf(traced), numbers.slice(forgotten.length))
  assert.deepEqual(await storedRows(db, 'attempts', other), others)
})

test('a refused form is replaced only for this merchant, mode, moment and request', async () => {
  const { db, own, other } = merchants
  const form = { merchant_id: own, mode: 'test', at: noon, request_id: 'req', code: 'c', message: 'Ada' }
  const forms = [
    form,
    { ...form, merchant_id: other },
    { ...form, mode: 'live' },
    { ...form, at: justBefore },
    { ...form, request_id: 'another' },
  ]
  await insertRows(db, 'form_refusals', forms)
  const listed = await listRefusedForms(db, own)
  assert.deepEqual([listed.length, (await listRefusedForms(db, other)).length], [4, 1])
  const asked = listed.find(
    (one) => one.mode === 'test' && one.request_id === 'req' && !one.at.includes('11:59'),
  )
  assert.ok(asked)
  await inTransaction(db, async (tx) => replaceRefusedForm(tx, own, { ...asked, message: 'nobody' }))
  const replaced = (await listRefusedForms(db, own)).filter(({ message }) => message === 'nobody')
  assert.deepEqual(replaced, [{ ...asked, message: 'nobody' }])
  assert.deepEqual(
    (await listRefusedForms(db, other)).map(({ message }) => message),
    ['Ada'],
  )
})
