import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inOwnFields } from './family.ts'

test('fields of a nested customer are used where the request has none of its own', () => {
  const customer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', phone: '1' }
  const { phone: _, ...taken } = customer
  assert.deepEqual(inOwnFields({ customer }), { customer, ...taken })
  const own = { email: 'own@example.com', first_name: ' ', last_name: null }
  assert.deepEqual(inOwnFields({ ...own, customer }), { customer, ...taken, email: own.email })
  for (const odd of [null, 'Ada', [customer], 7])
    assert.deepEqual(inOwnFields({ customer: odd }), { customer: odd })
  for (const body of [null, 'text', [1], 7]) assert.equal(inOwnFields(body), body)
})

test('thousands separators are removed, and commas that may mean something else are left alone', () => {
  const rows: [amount: unknown, read: unknown][] = [
    ['1,234.50', '1234.50'],
    [' 1,234,567 ', ' 1234567 '],
    ['12,345', '12345'],
    ...[
      '1,23',
      '1.234,50',
      '1,2345',
      '0,123',
      ',123',
      '1,234,',
      '1,234.',
      '1 234.50',
      `1${',000'.repeat(9)}`,
      1234.5,
    ].map((same): [unknown, unknown] => [same, same]),
  ]
  for (const [amount, read] of rows)
    assert.deepEqual(inOwnFields({ amount }), { amount: read }, String(amount))
})
