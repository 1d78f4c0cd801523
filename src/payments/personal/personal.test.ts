import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows, type Values } from '../../../test/support/rows.ts'
import { attemptByCard } from '../../../test/support/scripted-networks.ts'
import { minuteMs, openTill, type Till } from '../../../test/support/till.ts'
import { inTransaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import { erasedEmail, makeRedact } from '../../input/erased.ts'
import type { Customer, PersonalRows } from '../../merchants/privacy/personal-rows.ts'
import { findCustomer, personalPayments, personalRefusedForms } from './personal.ts'

let till: Till
before(async () => {
  till = await openTill()
})
after(() => till.close())

const email = 'ada@example.com'

function customer(...numbers: string[]): Customer {
  const redact = makeRedact(email, ['Ada', 'Lovelace', 'Ada Lovelace'])
  const redactStrictly = makeRedact(email, ['Ada Lovelace'])
  return { merchantId: till.merchantId, email, numbers, redact, redactStrictly }
}

async function erase(rows: PersonalRows, of: Customer): Promise<number> {
  return inTransaction(till.db, async (tx) => rows.erase(tx, of))
}

test('a customer is found by the address, and nobody by the one of those who were forgotten', async () => {
  const { merchantId } = till
  const ofPayments = [{ email: 'Ada@example.com' }, { email: erasedEmail }, { email: 'grace@example.com' }]
  const numbers: string[] = []
  for (const payment of ofPayments)
    numbers.push((await attemptByCard(till, { state: 'declined' }, payment)).number)
  const find = async (address: string): Promise<string[]> =>
    (await findCustomer(till.db, { merchantId, email: address, after: '', max: 10 })).map(
      ({ number }) => number,
    )
  assert.deepEqual(await find(email), numbers.slice(0, 1))
  assert.deepEqual([await find(erasedEmail), await find(erasedEmail.toUpperCase())], [[], []])
})

test('a person is taken out of every text of a payment, and what was left out stays so', async () => {
  const texts = (name: string): Values => ({
    callback_url: `https://shop.example/ipn?for=${name}`,
    return_url: `https://shop.example/thanks?to=${name}`,
    title: `For ${name}`,
    description: `A letter to ${name}`,
    invoice_number: `2026-${name}`,
  })
  const items = (name: string): string => JSON.stringify([{ name: `Card for ${name}`, quantity: '1' }])
  const none = { callback_url: null, return_url: null, title: null, description: null, invoice_number: null }
  for (const [payment, expected] of [
    [
      { ...texts('Ada'), items: items('Ada') },
      { ...texts('erased'), items: items('erased') },
    ],
    [
      { ...none, items: null },
      { ...none, items: null },
    ],
  ]) {
    const { number } = await attemptByCard(till, { state: 'declined' }, payment)
    assert.equal(await erase(personalPayments, customer(number)), 1)
    const [row] = await till.db.query<Values>(sql`
      select callback_url, return_url, title, description, invoice_number, items::text as items, email,
        first_name, last_name
      from payments where merchant_id = ${till.merchantId} and number = ${number}`)
    const person = { email: erasedEmail, first_name: 'erased', last_name: 'erased' }
    assert.deepEqual(row, { ...expected, ...person })
  }
})

test('forms that were refused are theirs where they name the customer, in the message or in a rule', async () => {
  const other = { message: 'amount is required', errors: '{"amount":["amount is required"]}' }
  const rows: [Values, Values?][] = [
    [{ message: `no payment of ${email}`, errors: null }, { message: `no payment of ${erasedEmail}` }],
    [
      { ...other, errors: `{"email":["${email} is too long"]}` },
      { errors: `{"email":["${erasedEmail} is too long"]}` },
    ],
    [{ message: 'for Ada Lovelace', errors: other.errors }, { message: 'for erased' }],
    [other],
    [{ ...other, errors: '{ "amount": [ "amount is required" ] }' }],
    [{ ...other, errors: null }],
    [{ message: 'Ada is known to many', errors: null }],
  ]
  const now = till.paying.now().getTime()
  const { merchantId: merchant_id } = till
  const forms = rows.map(([form], place) => ({
    merchant_id,
    mode: 'test',
    at: new Date(now + place * minuteMs),
    request_id: `req_${place}`,
    code: 'invalid',
    ...form,
  }))
  await insertRows(till.db, 'form_refusals', forms)
  const stored = async (): Promise<unknown[]> =>
    till.db.query(sql`
      select message, errors::text as errors from form_refusals where merchant_id = ${merchant_id} order by at`)
  const theirs = (await personalRefusedForms.read(till.db, customer())) as { request_id: string }[]
  assert.deepEqual(theirs.map(({ request_id }) => request_id).toSorted(), ['req_0', 'req_1', 'req_2'])
  assert.equal(await erase(personalRefusedForms, customer()), 3)
  assert.deepEqual(
    await stored(),
    rows.map(([form, changes = {}]) => ({ ...form, ...changes })),
  )
  assert.deepEqual(await personalRefusedForms.read(till.db, customer()), [])
})
