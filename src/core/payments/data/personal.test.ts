import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { customerToErase } from '../../../../test/support/customer-to-erase.ts'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../../test/support/rows.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { erasedEmail, erasedName, makeRedact } from '../../../platform/input/erased.ts'
import {
  findCustomer,
  findNamedPayments,
  personalNotes,
  personalPayments,
  personalRefusedForms,
} from './personal.ts'

// Payments of Ada in each mode that have ended, one without and one with all that may be written on a payment.

const redact = makeRedact('ada@example.com', ['Ada', 'Lovelace'])
const [bare, full] = [paymentNumber(1), paymentNumber(2)]
const texts = ['callback_url', 'return_url', 'title', 'description', 'invoice_number'] as const
const endedAt = new Date('2026-01-01T00:00:00Z')

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const ended = { state: 'cancelled', created_at: endedAt }
  const written = {
    callback_url: 'https://shop.example/ipn?who=Ada',
    return_url: 'https://shop.example/back?who=Lovelace',
    title: 'For Ada',
    description: 'As Ada wished',
    invoice_number: 'ADA-7',
    items: '[{"name":"Mug of Ada","quantity":"1","unit_price":"10.00"}]',
  }
  await insertRows(
    db,
    'payments',
    [own, other].flatMap((merchant_id) => [
      paymentRow({ merchant_id, number: bare, ...ended }),
      paymentRow({ merchant_id, number: full, mode: 'live', ...ended, ...written }),
    ]),
  )
  await insertRows(
    db,
    'payment_notes',
    [bare, full].map((number, place) => ({
      merchant_id: own,
      number,
      id: `note-${place}`,
      author: 'person',
      text: `Ada called ${place} times`,
    })),
  )
})
after(() => merchants.close())

const of = () =>
  customerToErase({ merchantId: merchants.own, numbers: [bare, full], redact, redactStrictly: redact })

test('payments of both modes that still name a customer are found, live ones first', async () => {
  const found = await findNamedPayments(merchants.db, {
    merchantId: merchants.own,
    before: new Date(endedAt.getTime() + 1),
    max: 10,
  })
  assert.deepEqual(
    found.map(({ number }) => number),
    [full, bare],
  )
})

test('an erased customer can’t be found, in any case', async () => {
  const find = async (email: string) =>
    findCustomer(merchants.db, { merchantId: merchants.own, email, after: '', max: 10 })
  assert.equal((await find('ADA@example.com')).length, 2)
  await merchants.db.query(sql`
    update payments set email = ${erasedEmail} where merchant_id = ${merchants.other} and number = ${bare}`)
  const erased = async (email: string) =>
    findCustomer(merchants.db, { merchantId: merchants.other, email, after: '', max: 10 })
  assert.deepEqual([await erased(erasedEmail), await erased(erasedEmail.toUpperCase())], [[], []])
})

test('an erased payment keeps its other texts, and missing fields stay missing', async () => {
  const { db, own, other } = merchants
  const untouched = await storedRows(db, 'payments', other)
  assert.equal(await inTransaction(db, async (tx) => personalPayments().erase(tx, of())), 2)
  const rows = await db.query<Record<string, string | null>>(sql`
    select email, first_name, last_name, callback_url, return_url, title, description, invoice_number, items::text
    from payments where merchant_id = ${own} order by number`)
  const nobody = { email: erasedEmail, first_name: erasedName, last_name: erasedName }
  assert.deepEqual(rows, [
    { ...nobody, ...Object.fromEntries(texts.map((name) => [name, null])), items: null },
    {
      ...nobody,
      callback_url: 'https://shop.example/ipn?who=erased',
      return_url: 'https://shop.example/back?who=erased',
      title: 'For erased',
      description: 'As erased wished',
      invoice_number: 'erased-7',
      items: '[{"name":"Mug of erased","quantity":"1","unit_price":"10.00"}]',
    },
  ])
  assert.deepEqual(await storedRows(db, 'payments', other), untouched)
})

test('notes keep everything but the personal data', async () => {
  const { db } = merchants
  assert.equal((await personalNotes.read(db, of())).length, 2)
  assert.equal(await inTransaction(db, async (tx) => personalNotes.erase(tx, of())), 2)
  const notes = await personalNotes.read(db, of())
  assert.deepEqual(
    notes.map((note) => ('text' in note ? note.text : undefined)),
    ['erased called 0 times', 'erased called 1 times'],
  )
})

test('a refused form is erased if its message or errors name the customer, and no other one is', async () => {
  const { db, own } = merchants
  const errors = (email: string): string => JSON.stringify({ email: [`email ${email} is none`] })
  const forms = [
    { message: 'tx_ref of Ada is taken', errors: null },
    { message: 'email is none', errors: errors('ada@example.com') },
    { message: 'tx_ref of Grace is taken', errors: null },
    { message: 'email is none', errors: errors('grace@example.com') },
  ]
  await insertRows(
    db,
    'form_refusals',
    forms.map((form, place) => ({
      merchant_id: own,
      mode: 'test',
      at: new Date(endedAt.getTime() + place),
      request_id: `req-${place}`,
      code: 'validation_failed',
      ...form,
    })),
  )
  const read = async () => personalRefusedForms.read(db, of())
  const requestsOf = (found: readonly object[]) =>
    found.map((form) => ('request_id' in form ? String(form.request_id) : '')).toSorted()
  assert.deepEqual(requestsOf(await read()), ['req-0', 'req-1'])
  assert.equal(await inTransaction(db, async (tx) => personalRefusedForms.erase(tx, of())), 2)
  const stored = await db.query(sql`
    select message, errors::text from form_refusals where merchant_id = ${own} order by at`)
  assert.deepEqual(stored, [
    { message: 'tx_ref of erased is taken', errors: null },
    { message: 'email is none', errors: errors(erasedEmail) },
    forms[2],
    forms[3],
  ])
  assert.deepEqual(await read(), [])
})
