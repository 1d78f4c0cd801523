import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinDescriptors } from './limit-connections.ts'

test('where the system has few descriptors a quarter is kept free, and nobody gets more than half of the rest', () => {
  const asked = { all: 10_000, perAddress: 500 }
  assert.deepEqual(withinDescriptors(asked, undefined), asked)
  assert.deepEqual(withinDescriptors(asked, 1_000_000), asked)
  assert.deepEqual(withinDescriptors(asked, 1_024), { all: 768, perAddress: 384 })
  assert.deepEqual(withinDescriptors({ all: 10, perAddress: 500 }, 256), { all: 10, perAddress: 5 })
})
