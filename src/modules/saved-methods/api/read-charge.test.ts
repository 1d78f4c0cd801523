import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readCharge } from './read-charge.ts'

const read = (body: object) => readCharge(body, 'live', JSON.stringify(body))
const least = { tx_ref: 'a', amount: '9.90', currency: 'gbp' }

test('a charge needs a tx_ref, an amount and a currency', () => {
  assert.deepEqual(read(least), {
    txRef: 'a',
    amountMinor: 990n,
    currency: 'GBP',
    description: null,
    callbackUrl: null,
    metaText: null,
    mailsCustomer: false,
  })
  assert.equal(read({ ...least, email_customer: true }).mailsCustomer, true)
})

for (const [field, change] of [
  ['tx_ref', { tx_ref: undefined }],
  ['amount', { amount: '1.999' }],
  ['amount', { amount: undefined }],
  ['amount', { amount: true }],
  ['currency', { currency: 'XXQ' }],
  ['description', { description: 'card 4242 4242 4242 4242' }],
  ['callback_url', { callback_url: 'http://shop.example/ipn' }],
  ['email_customer', { email_customer: 'yes' }],
  ['ammount', { ammount: '5' }],
] as const)
  test(`${JSON.stringify(change)} is refused for its ${field}`, () => {
    assert.throws(
      () => read({ ...least, ...change }),
      (error) => error instanceof Refusal && error.errors?.[field] !== undefined,
    )
  })
