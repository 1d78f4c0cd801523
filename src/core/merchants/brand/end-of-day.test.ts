import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayAt, endOfDay, lastDay, startOfDay } from './end-of-day.ts'

for (const [day, zone, instant] of [
  ['2026-11-15', 'UTC', '2026-11-16T00:00:00.000Z'],
  ['2026-07-01', 'Europe/London', '2026-07-01T23:00:00.000Z'],
  ['2026-10-25', 'Europe/London', '2026-10-26T00:00:00.000Z'],
  ['2026-03-28', 'Europe/Warsaw', '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Warsaw', '2026-03-29T22:00:00.000Z'],
  ['2026-12-31', 'America/Los_Angeles', '2027-01-01T08:00:00.000Z'],
  ['2026-11-15', 'Asia/Kathmandu', '2026-11-15T18:15:00.000Z'],
] as const) {
  test(`${day} ends in ${zone} at ${instant}, and is the last day before it`, () => {
    assert.equal(endOfDay(day, zone).toISOString(), instant)
    assert.equal(lastDay(new Date(instant), zone), day)
  })
}

test('a day begins at midnight there, also when the clocks change, and a moment is in one day', () => {
  assert.equal(startOfDay('2026-11-15', 'Asia/Kathmandu').toISOString(), '2026-11-14T18:15:00.000Z')
  assert.equal(startOfDay('2026-03-29', 'Europe/Berlin').toISOString(), '2026-03-28T23:00:00.000Z')
  assert.equal(startOfDay('2026-03-30', 'Europe/Berlin').toISOString(), '2026-03-29T22:00:00.000Z')
  const moment = new Date('2026-11-14T18:14:59Z')
  assert.deepEqual(
    ['Asia/Kathmandu', 'Asia/Tokyo', 'UTC'].map((zone) => dayAt(moment, zone)),
    ['2026-11-14', '2026-11-15', '2026-11-14'],
  )
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
})
