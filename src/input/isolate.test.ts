import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate } from './isolate.ts'

test('a name keeps its own direction in a sentence that runs the other way', () => {
  assert.equal(isolate('Toys Now!', 'ltr'), 'Toys Now!')
  assert.equal(isolate('Toys Now!', 'rtl'), '\u2068Toys Now!\u2069')
  assert.equal(isolate('متجر', 'ltr'), '\u2068متجر\u2069')
})
