import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRecentMerchants } from './lately.ts'

test('a limited number of recent merchants is remembered, the latest longest', () => {
  const lately = makeRecentMerchants(3)
  lately.remember(1, 2, 3)
  assert.deepEqual(lately.list(), [1, 2, 3])
  lately.remember(1)
  assert.deepEqual(lately.list(), [2, 3, 1])
  lately.remember(4, 5)
  assert.deepEqual(lately.list(), [1, 4, 5])
  lately.remember()
  assert.deepEqual(lately.list(), [1, 4, 5])
})

test('a thousand merchants are remembered by default', () => {
  const lately = makeRecentMerchants()
  lately.remember(...Array.from({ length: 1_001 }, (_, index) => index))
  assert.equal(lately.list().length, 1_000)
  assert.equal(lately.list()[0], 1)
})
