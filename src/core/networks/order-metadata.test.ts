import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataOf, readMetadata } from './order-metadata.ts'

const order = { merchantId: 12_345_678, paymentNumber: '4242', idempotencyKey: 'key-1' }

test('an order is recognised by the three ids in its metadata', () => {
  assert.deepEqual(readMetadata(metadataOf(order)), order)
})

for (const [what, metadata, expected] of [
  ['no metadata at all', undefined, {}],
  ['null', null, {}],
  ['text', 'florin_key', {}],
  ['names of somebody else', { order: '1' }, {}],
  ['a merchant of ten digits', { florin_merchant: '1234567890' }, { merchantId: 1_234_567_890 }],
  ['a merchant of eleven digits', { florin_merchant: '12345678901' }, {}],
  ['a merchant that is no number', { florin_merchant: '12a', florin_key: 'k' }, { idempotencyKey: 'k' }],
  ['an empty merchant', { florin_merchant: '' }, {}],
  ['values that are no text', { florin_merchant: 1, florin_payment: 2, florin_key: 3 }, {}],
  ['a payment alone', { florin_payment: '4242' }, { paymentNumber: '4242' }],
] as const)
  test(`metadata with ${what} is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(readMetadata(metadata), expected)
  })
