import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeDecline, softWaitsMs, triesMax, triesWithinMs } from './retry-rules.ts'

const now = new Date('2026-11-18T08:00:00.000Z')
const tries = (count: number) => Array.from({ length: count }, () => '2026-11-17T08:00:00.000Z')

test('a hard decline and a bank that wants the customer are never retried', () => {
  for (const [reason, code] of [
    ['method_ended', 'method_ended'],
    ['expired_card', 'method_ended'],
    ['needs_customer', 'needs_customer'],
  ] as const)
    assert.deepEqual(judgeDecline(reason, tries(1), now), { code, reason, mayRetry: false })
})

test('a charge that never reached the network may be retried at once', () => {
  const silent = { code: 'network_silent', reason: 'network_silent', mayRetry: true }
  assert.deepEqual(judgeDecline('network_silent', tries(1), now), silent)
})

test('each soft decline makes the wait longer, up to three days', () => {
  for (const [count, wait] of [
    [0, softWaitsMs[0]],
    [1, softWaitsMs[0]],
    [2, softWaitsMs[1]],
    [3, softWaitsMs[2]],
    [14, softWaitsMs[2]],
  ] as const) {
    const { code, retryAfter } = judgeDecline('insufficient_funds', tries(count), now)
    assert.deepEqual([code, retryAfter], ['declined', new Date(now.getTime() + wait).toISOString()])
  }
})

test('after 15 tries the oldest must be 30 days old', () => {
  const { retryAfter } = judgeDecline('declined', tries(triesMax), now)
  assert.equal(retryAfter, new Date(Date.parse('2026-11-17T08:00:00.000Z') + triesWithinMs).toISOString())
})
