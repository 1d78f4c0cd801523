import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readChargeForm } from './read-charge-form.ts'

const good = { tx_ref: 'invoice-7', amount: '1 234,50', currency: 'GBP', description: '' }
const read = (changes: Record<string, string> = {}) =>
  readChargeForm(new Map(Object.entries({ ...good, ...changes })), 'test')

test('a charge form is read with the amount as people type it', () => {
  const { amountMinor, description, mailsCustomer } = read()
  assert.deepEqual([amountMinor, description, mailsCustomer], [123_450n, null, false])
  assert.equal(read({ email_customer: 'yes' }).mailsCustomer, true)
})

for (const [changes, name] of [
  [{ amount: '' }, 'amount'],
  [{ amount: '1.000' }, 'amount'],
  [{ currency: 'XXZ' }, 'currency'],
  [{ tx_ref: '' }, 'tx_ref'],
  [{ description: '4242 4242 4242 4242' }, 'description'],
] as const)
  test(`a charge form with ${JSON.stringify(changes)} is refused at ${name}`, () => {
    assert.throws(
      () => read(changes),
      (error) => error instanceof Refusal && Object.keys(error.errors ?? {}).join() === name,
    )
  })
