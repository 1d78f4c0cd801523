import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastMonth, thisMonth } from './last-month.ts'

const cases: readonly (readonly [now: string, zone: string, from: string, to: string])[] = [
  ['2026-11-18T12:00:00Z', 'UTC', '2026-10-01', '2026-10-31'],
  ['2026-01-15T12:00:00Z', 'UTC', '2025-12-01', '2025-12-31'],
  ['2028-03-01T12:00:00Z', 'UTC', '2028-02-01', '2028-02-29'],
  ['2026-10-31T23:30:00Z', 'Europe/Berlin', '2026-10-01', '2026-10-31'],
  ['2026-11-01T02:00:00Z', 'America/New_York', '2026-09-01', '2026-09-30'],
]

test('last month is the whole month in the shop’s time zone, in every year', () => {
  for (const [now, zone, from, to] of cases)
    assert.deepEqual(lastMonth(new Date(now), zone), { from, to }, now)
})

test('this month is that of the shop, whole', () => {
  const december = { from: '2026-12-01', to: '2026-12-31' }
  assert.deepEqual(thisMonth(new Date('2026-11-30T23:30:00Z'), 'Europe/Berlin'), december)
  assert.deepEqual(thisMonth(new Date('2027-01-01T02:00:00Z'), 'America/New_York'), december)
})
