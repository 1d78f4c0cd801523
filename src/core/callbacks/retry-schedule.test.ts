import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTryAt } from './retry-schedule.ts'

const receivedAt = new Date('2026-11-15T12:00:00Z')
const hour = 3_600_000
const after = (ms: number): Date => new Date(receivedAt.getTime() + ms)

test('a callback without an answer is retried with growing gaps, then hourly', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 70].map((tries) => nextTryAt(tries, receivedAt, receivedAt))
  assert.deepEqual(pauses, [5_000, 30_000, 120_000, 600_000, hour, hour, hour].map(after))
})

test('a callback is given up three days after it arrived, after any number of tries', () => {
  for (const tries of [1, 5, 100]) {
    const last = after(72 * hour - 1)
    assert.ok(nextTryAt(tries, receivedAt, last), `${tries} tries`)
    assert.equal(nextTryAt(tries, receivedAt, after(72 * hour)), undefined, `${tries} tries`)
  }
})
