import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageMistake } from './arguments.ts'
import { span, timeOption } from './times.ts'

const now = new Date('2026-11-15T14:00:00.000Z')
const since = (value: string): string | undefined =>
  timeOption({ values: { since: value }, words: [] }, 'since', now)

test('a time may be absolute or relative', () => {
  assert.equal(since('30min'), '2026-11-15T13:30:00.000Z')
  assert.equal(since('24h'), '2026-11-14T14:00:00.000Z')
  assert.equal(since('7d'), '2026-11-08T14:00:00.000Z')
  assert.equal(since('2026-11-15'), '2026-11-15')
  assert.equal(since('2026-11-15T14:05:00Z'), '2026-11-15T14:05:00Z')
  for (const odd of ['', 'yesterday', '2h ago', '-1h', '2026-02-30', '1y']) {
    assert.throws(() => since(odd), UsageMistake, odd)
  }
})

test('a duration is short, and accurate to two figures', () => {
  const minuteMs = 60_000
  assert.deepEqual([500, 59_400, 90_000, 119 * minuteMs, 150 * minuteMs, 80 * 60 * minuteMs].map(span), [
    '1 s',
    '59 s',
    '2 min',
    '119 min',
    '3 h',
    '3 days',
  ])
})
