import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { readRefundForm } from './read-refund-form.ts'

const read = (fields: Record<string, string>, currency = 'GBP') =>
  readRefundForm(new Map(Object.entries(fields)), 'dashboard-1', currency)

for (const [amount, currency, minor] of [
  ['12.50', 'GBP', 1_250n],
  ['12,50', 'GBP', 1_250n],
  [' £4.00 ', 'GBP', 400n],
  ['1.234,50 €', 'EUR', 123_450n],
  ['1 234', 'JPY', 1_234n],
  ['1.250', 'KWD', 1_250n],
] as const) {
  test(`${amount} refunds ${minor} of the smallest unit of ${currency}`, () => {
    assert.equal(read({ amount }, currency).amountMinor, minor)
  })
}

for (const [amount, rule] of [
  [undefined, 'Enter an amount to refund'],
  [' ', 'Enter an amount to refund'],
  ['all', 'amount must be a plain decimal number such as 1000.50'],
  ['1,000', 'amount must be a plain decimal number such as 1000.50'],
  ['0', 'amount must be more than zero'],
  ['-1', 'amount must be a plain decimal number such as 1000.50'],
  ['4,0012', 'amount must have at most 2 decimals for GBP'],
] as const) {
  test(`a refund of ${JSON.stringify(amount)} is refused beside its field`, () => {
    assert.throws(
      () => read(amount === undefined ? {} : { amount }),
      (error) => {
        assert.ok(error instanceof Refusal)
        assert.deepEqual(error.errors, { amount: [rule] })
        return true
      },
    )
  })
}

test('a reason is passed along, and an empty one is dropped', () => {
  assert.equal(read({ amount: '1', reason: ' Late ' }).reason, 'Late')
  assert.equal(read({ amount: '1', reason: ' ' }).reason, undefined)
  assert.throws(() => read({ amount: '1', reason: 'card 4242 4242 4242 4242' }), Refusal)
})
