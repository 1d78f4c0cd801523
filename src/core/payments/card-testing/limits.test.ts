import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freeOf, leakMs, proofBits, successesBelow, waitUntil, waitsMs } from './limits.ts'

const limits = { freeDeclines: 5, attackDeclines: 30, attackPercent: 70 }
const now = new Date('2026-11-15T12:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000)

function secondsLeft(level: number, secondsAgo: number, free = 5): number | undefined {
  const until = waitUntil(free, now, { level, at: ago(secondsAgo) })
  return until && (until.getTime() - now.getTime()) / 1_000
}

test('waits begin with the fifth decline and grow up to ten minutes', () => {
  assert.equal(secondsLeft(4, 0), undefined)
  const waits = Array.from({ length: 12 }, (_, above) => secondsLeft(5 + above, 0))
  assert.deepEqual(waits, [5, 10, 15, 20, 30, 60, 120, 300, 600, 600, 600, 600])
})

test('a wait is over when its time has passed', () => {
  assert.equal(secondsLeft(5, 4), 1)
  assert.equal(secondsLeft(5, 5), undefined)
  assert.equal(waitUntil(5, now, undefined), undefined)
})

test('ten declines within ten minutes cost 80 seconds of waiting', () => {
  const waits = Array.from({ length: 10 }, (_, one) => secondsLeft(one + 1, 0) ?? 0)
  assert.equal(
    waits.slice(0, 9).reduce((sum, one) => sum + one, 0),
    80,
  )
})

test('a wait longer than the maximum comes from a wrong clock and is ignored', () => {
  assert.equal(secondsLeft(14, -3_600), undefined)
  assert.equal(secondsLeft(14, -4), 604)
  assert.equal(secondsLeft(14, -5), 605, 'by as much as clocks of servers may differ')
  assert.equal(secondsLeft(14, -5.001), undefined)
})

test('open challenges count a fifth each, from the newest', () => {
  const open = (count: number) => waitUntil(5, now, undefined, { count, newest: ago(1) })
  assert.equal(open(22), undefined)
  assert.deepEqual(open(25), new Date(now.getTime() + 4_000))
  const both = waitUntil(5, now, { level: 4, at: ago(60) }, { count: 5, newest: ago(2) })
  assert.deepEqual(both, new Date(now.getTime() + 3_000))
})

test('under attack waits begin after half as many declines, and never after none', () => {
  assert.equal(freeOf(limits, false), 5)
  assert.equal(freeOf(limits, true), 2)
  assert.equal(freeOf({ ...limits, freeDeclines: 1 }, true), 1)
})

test('a live card is remembered longer than an address or a test card', () => {
  assert.ok(leakMs('card', 'live') > leakMs('address', 'live'))
  assert.equal(leakMs('card', 'test'), leakMs('address', 'test'))
})

test('declines are an attack when fewer than three in ten attempts succeed', () => {
  assert.equal(successesBelow(limits, 70), 30)
  assert.equal(successesBelow(limits, 30), 13)
  assert.equal(successesBelow({ ...limits, attackPercent: 100 }, 30), 0)
})

test('each doubling of an attack doubles the work of a proof, up to a limit', () => {
  assert.deepEqual(
    [0, 30, 59, 60, 120, 480, 100_000].map((declines) => proofBits(limits, declines)),
    [16, 16, 16, 17, 18, 20, 20],
  )
  assert.equal(waitsMs.length, 9)
})
