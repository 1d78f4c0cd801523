import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeShares } from './request-log.ts'

const merchants = Array.from({ length: 50 }, (_, index) => `merchant ${index}`)

function kept(keeps: (share: string) => boolean, share: string, asked: number): number {
  return Array.from({ length: asked }, () => keeps(share)).filter(Boolean).length
}

test('a busy merchant gets its configured share, with a burst', () => {
  let nowMs = 0
  const keeps = makeShares(5, () => nowMs)
  assert.equal(kept(keeps, 'one', 200), 100)
  nowMs += 1_000
  assert.equal(kept(keeps, 'one', 200), 5)
})

test('many busy merchants share as much as ten beyond their first few, and a quiet one is still logged', () => {
  let nowMs = 0
  const keeps = makeShares(5, () => nowMs)
  const all = merchants.reduce((sum, merchant) => sum + kept(keeps, merchant, 200), 0)
  assert.equal(all, 50 * 5 + 10 * 100)
  assert.equal(kept(keeps, 'quiet', 6), 5)
  nowMs += 1_000
  // The first of them take what there is for all; each has one of its own.
  const later = merchants.map((merchant) => kept(keeps, merchant, 200))
  assert.equal(
    later.reduce((sum, count) => sum + count, 0),
    50 + 50,
  )
  assert.equal(Math.min(...later), 1)
  assert.equal(kept(keeps, 'quiet', 1), 1)
})
