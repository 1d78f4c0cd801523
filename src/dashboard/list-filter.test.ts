import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginningOf, choiceIn, dayIn, endingOf, given, textIn } from './list-filter.ts'

for (const [typed, day] of [
  ['2026-11-15', '2026-11-15'],
  ['2028-02-29', '2028-02-29'],
  ['2026-02-29', ''],
  ['2026-02-31', ''],
  ['2026-13-01', ''],
  ['2026-00-10', ''],
  ['15.11.2026', ''],
  ['2026-11-15T00:00:00Z', ''],
  [' 2026-11-15', ''],
  ['', ''],
] as const)
  test(`"${typed}" in a filter is ${day === '' ? 'no day' : 'a day'}`, () =>
    assert.equal(dayIn({ from: typed }, 'from'), day))

for (const [day, timeZone, from, to] of [
  ['2026-11-15', 'UTC', '2026-11-15T00:00:00.000Z', '2026-11-16T00:00:00.000Z'],
  ['2026-12-31', 'Europe/Berlin', '2026-12-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2028-02-29', 'America/New_York', '2028-02-29T05:00:00.000Z', '2028-03-01T05:00:00.000Z'],
  ['2026-06-01', 'Asia/Kathmandu', '2026-05-31T18:15:00.000Z', '2026-06-01T18:15:00.000Z'],
  // A day of 23 hours, and one of 25.
  ['2026-03-29', 'Europe/London', '2026-03-29T00:00:00.000Z', '2026-03-29T23:00:00.000Z'],
  ['2026-10-25', 'Europe/London', '2026-10-24T23:00:00.000Z', '2026-10-26T00:00:00.000Z'],
] as const)
  test(`${day} in ${timeZone} is from ${from} to ${to}`, () =>
    assert.deepEqual([beginningOf(day, timeZone), endingOf(day, timeZone)], [from, to]))

test('a malformed day is passed on unchanged, for the list’s own rule to refuse', () => {
  for (const odd of ['', 'soon', '2026-13-01', '2026-02-30'])
    assert.deepEqual([beginningOf(odd, 'UTC'), endingOf(odd, 'UTC')], [odd, odd])
})

test('search text is trimmed, and characters that can’t be stored are removed', () => {
  const read = (q: string): string => textIn({ q }, 'q', 5)
  assert.deepEqual([' ab ', '12345', '123456', 'a\0b', 'a\nb', '\ud800', ''].map(read), [
    'ab',
    '12345',
    '',
    '',
    '',
    '',
    '',
  ])
  assert.equal(textIn({}, 'q', 5), '')
})

test('only offered choices are accepted, and only set filters are kept', () => {
  assert.equal(choiceIn({ state: 'open' }, 'state', ['open', 'ended']), 'open')
  for (const odd of ['Open', 'paid', '', '__proto__'])
    assert.equal(choiceIn({ state: odd }, 'state', ['open', 'ended']), '')
  assert.deepEqual(given({ a: '1', b: '', c: undefined }), { a: '1' })
})
