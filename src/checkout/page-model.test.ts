import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLooks } from './page-model.ts'

test('a page without a script counts its looks up to four digits, until it is told to stop', () => {
  const read = ['off', '0', '7', '9999', '10000', '', '-1', '1e3', 'on', undefined, ['7']].map(readLooks)
  assert.deepEqual(read, ['off', 0, 7, 9_999, 0, 0, 0, 0, 0, 0, 0])
})
