import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMarked } from './marks.ts'

const source = `const kept = 500 // No test: how many are kept is no promise
const limit = 10
// No test: saves time,
// and the result is the same.
if (cached) return cached
// No test of "state = 'waiting'": for the index only
const rows = sql\`
  select id from deliveries
  where merchant_id = 7 and state = 'waiting'\`
return limit // No test:
`

function isMarkedAt(piece: string): boolean {
  const from = source.lastIndexOf(piece)
  return isMarked(source, { from, to: from + piece.length })
}

test('a mark at the end of a line covers that line only', () => {
  assert.equal(isMarkedAt('500'), true)
  assert.equal(isMarkedAt('10'), false)
})

test('a mark above a line covers it, even when the reason takes two lines', () => {
  assert.equal(isMarkedAt('cached'), true)
})

test('a mark above a statement covers the part it quotes, and no other', () => {
  assert.equal(isMarkedAt("state = 'waiting'"), true)
  assert.equal(isMarkedAt('merchant_id = 7'), false)
})

test('a mark without a reason covers nothing', () => {
  assert.equal(isMarkedAt('return limit'), false)
})
