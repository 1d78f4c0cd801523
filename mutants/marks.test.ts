import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMarked } from './marks.ts'

const source = `const kept = 500 // No test: how many are kept is no promise
const limit = 10
// No test: saves time,
// and changes nothing that anybody reads.
if (cached) return cached
return limit // No test:
`

const at = (piece: string): boolean => isMarked(source, source.indexOf(piece))

test('a mark at the end of a line covers that line only', () => {
  assert.equal(at('500'), true)
  assert.equal(at('10'), false)
})

test('a mark above a line covers it, even when the reason takes two lines', () => {
  assert.equal(at('if (cached)'), true)
})

test('a mark without a reason covers nothing', () => {
  assert.equal(at('return limit'), false)
})
