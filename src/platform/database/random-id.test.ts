import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  base62Alphabet,
  randomBase62,
  randomBase64url,
  randomDigits,
  randomHex,
  randomText,
} from './random-id.ts'

test('every letter is equally likely', () => {
  const rounds = 62 * 2_000
  const counts = new Map<string, number>()
  for (const letter of randomBase62(rounds)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, base62Alphabet.length)
  // Six standard deviations around 2,000: a fair draw fails this once in millions of runs, a biased one always.
  for (const [letter, count] of counts) assert.ok(Math.abs(count - 2_000) < 270, `${letter}: ${count}`)
})

test('random texts have the given length and alphabet, and never repeat', () => {
  assert.match(randomDigits(24), /^\d{24}$/)
  assert.match(randomText('ab', 9), /^[ab]{9}$/)
  assert.match(randomHex(2_000), /^[\da-f]{2000}$/)
  assert.match(randomBase64url(2_000), /^[\w-]{2000}$/)
  assert.equal(new Set(randomBase64url(20_000)).size, 64)
  const drawn = new Set(Array.from({ length: 5_000 }, () => randomDigits(24)))
  assert.equal(drawn.size, 5_000)
})
