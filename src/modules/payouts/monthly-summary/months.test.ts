import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastMonths } from './months.ts'

const cases = [
  ['2026-11-18T12:00:00Z', 'UTC', '2026-10-01 2026-10-31 2026-09-01 2026-09-30'],
  ['2026-01-05T12:00:00Z', 'UTC', '2025-12-01 2025-12-31 2025-11-01 2025-11-30'],
  ['2026-03-31T12:00:00Z', 'UTC', '2026-02-01 2026-02-28 2026-01-01 2026-01-31'],
  // Six hours into the month, by the shop's clock.
  ['2026-11-01T05:59:00Z', 'UTC', '2026-09-01 2026-09-30 2026-08-01 2026-08-31'],
  ['2026-11-01T06:00:00Z', 'UTC', '2026-10-01 2026-10-31 2026-09-01 2026-09-30'],
  ['2026-10-31T20:59:00Z', 'Asia/Tokyo', '2026-09-01 2026-09-30 2026-08-01 2026-08-31'],
  ['2026-10-31T21:00:00Z', 'Asia/Tokyo', '2026-10-01 2026-10-31 2026-09-01 2026-09-30'],
] as const

for (const [now, zone, expected] of cases)
  test(`at ${now} in ${zone} the last months are ${expected}`, () => {
    const { month, over, before } = lastMonths(new Date(now), zone)
    assert.equal([over.from, over.to, before.from, before.to].join(' '), expected)
    assert.equal(month, over.from)
  })
