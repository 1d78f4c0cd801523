import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isTime } from './fields.ts'

test('a date or a time of the calendar is one', () => {
  for (const text of ['2026-11-15', '2028-02-29', '2026-11-15T14:05Z', '2026-11-15T14:05:00.123456+01:00']) {
    assert.ok(isTime(text), text)
  }
})

test('what JavaScript would read a time out of, and PostgreSQL would not, is none', () => {
  const odd = [
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '0000-01-01',
    '2026-11-15T24:00:00Z',
    '2026-11-15T14:05:60Z',
  ]
  for (const text of [
    ...odd,
    '2026-11-15T14:05:00+15:00',
    '2026-11-15T14:05',
    'http://[::1',
    'order 15',
    '15',
    'now',
    'infinity',
    '',
  ]) {
    assert.ok(!isTime(text), text)
  }
})

test('every moment in its ISO form is a time', () => {
  const moments = fc.date({
    min: new Date('1000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  fc.assert(fc.property(moments, (moment) => isTime(moment.toISOString())))
})
