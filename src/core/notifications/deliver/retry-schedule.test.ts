import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nextTryAt, pausesMs, readRetryAfter } from './retry-schedule.ts'

const now = new Date('2026-11-15T12:00:00Z')
const hour = 3_600_000

test('retries come after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, then stop', () => {
  const pauses = pausesMs.map(
    (_, step) => (nextTryAt(step, now, undefined, () => 0.5)?.getTime() ?? 0) - now.getTime(),
  )
  assert.deepEqual(pauses, [
    5_000,
    300_000,
    1_800_000,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
  ])
  assert.equal(nextTryAt(9, now, undefined), undefined)
  assert.equal(nextTryAt(9, now, '60'), undefined)
})

test('a pause varies by at most a tenth, and is never shorter than the receiver asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
      (step, chance, asked) => {
        const next = nextTryAt(step, now, asked === undefined ? undefined : String(asked), () => chance)
        const pause = (next?.getTime() ?? 0) - now.getTime()
        const planned = pausesMs[step] ?? 0
        const askedMs = Math.min((asked ?? 0) * 1_000, 24 * hour)
        assert.ok(pause >= Math.max(planned * 0.9 - 1, askedMs), `${pause}`)
        assert.ok(pause <= Math.max(planned * 1.1 + 1, askedMs), `${pause}`)
      },
    ),
  )
})

test('Retry-After is read as seconds or a date, up to a day, and nonsense is ignored', () => {
  assert.equal(readRetryAfter('120', now), 120_000)
  assert.equal(readRetryAfter('Sun, 15 Nov 2026 12:10:00 GMT', now), 600_000)
  assert.equal(readRetryAfter('Sun, 15 Nov 2026 11:00:00 GMT', now), 0)
  assert.equal(readRetryAfter('999999999', now), 24 * hour)
  for (const nonsense of [undefined, '', '-5', 'soon', '1e9'])
    assert.equal(readRetryAfter(nonsense, now), 0, String(nonsense))
})
