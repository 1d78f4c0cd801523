import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceIn, dayAfter, dayIn, given, textIn } from './list-filter.ts'

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

for (const [day, next] of [
  ['2026-11-15', '2026-11-16'],
  ['2026-11-30', '2026-12-01'],
  ['2026-12-31', '2027-01-01'],
  ['2028-02-28', '2028-02-29'],
  // Where clocks change a day has 23 or 25 hours; days here are those of UTC.
  ['2026-03-29', '2026-03-30'],
  ['2026-10-25', '2026-10-26'],
] as const)
  test(`${day} ends where ${next} begins`, () => assert.equal(dayAfter(day), next))

test('text to look for is trimmed, and what no stored text can hold is left out', () => {
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

test('only what is offered is a choice, and only what is set goes on', () => {
  assert.equal(choiceIn({ state: 'open' }, 'state', ['open', 'ended']), 'open')
  for (const odd of ['Open', 'paid', '', '__proto__'])
    assert.equal(choiceIn({ state: odd }, 'state', ['open', 'ended']), '')
  assert.deepEqual(given({ a: '1', b: '', c: undefined }), { a: '1' })
})
