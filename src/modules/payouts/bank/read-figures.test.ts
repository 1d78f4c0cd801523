import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderShownBy, readAmount, readDay } from './read-figures.ts'

const amounts: readonly (readonly [typed: string, minor: bigint | undefined])[] = [
  ['1234.56', 123456n],
  ['1,234.56', 123456n],
  ['1.234,56', 123456n],
  ['1 234,56', 123456n],
  ["1'234.56", 123456n],
  ['1.234.567,89', 123456789n],
  ['1,234', 123400n],
  ['1.234', 123400n],
  ['12,5', 1250n],
  ['12', 1200n],
  ['-12,00', -1200n],
  ['−12,00', -1200n],
  ['12,00-', -1200n],
  ['(12.00)', -1200n],
  ['+12.00', 1200n],
  ['£12.00', 1200n],
  ['-£12.00', -1200n],
  ['12,00 €', 1200n],
  ['EUR 12,00', 1200n],
  ['12,00 EUR', 1200n],
  ['12,00 S', -1200n],
  ['12,00 H', 1200n],
  ['12.00DR', -1200n],
  ['', undefined],
  ['abc', undefined],
  ['1.23.4', undefined],
  ['1,23,456.00', undefined],
  ['0.001', undefined],
  ['1,234.567', undefined],
  ['1.234,567.890', undefined],
  ['1e3', undefined],
]

for (const [typed, minor] of amounts)
  test(`the amount "${typed}" of a bank is ${minor ?? 'none'}`, () =>
    assert.equal(readAmount(typed, 'EUR'), minor))

const dinars: readonly (readonly [typed: string, minor: bigint | undefined])[] = [
  ['12.345', 12_345n],
  ['12,345', 12_345n],
  ['-12.345 KWD', -12_345n],
  ['1,234.567', 1_234_567n],
  ['1.234,567', 1_234_567n],
  ['1,234,567', 1_234_567_000n],
  ['1,234,567.890', 1_234_567_890n],
  ['12.3', 12_300n],
  ['12', 12_000n],
  ['12.3456', undefined],
]

for (const [typed, minor] of dinars)
  test(`the amount "${typed}" of a currency with three decimals is ${minor ?? 'none'}`, () =>
    assert.equal(readAmount(typed, 'KWD'), minor))

const days: readonly (readonly [typed: string, day: string | undefined])[] = [
  ['2026-11-07', '2026-11-07'],
  ['2026-11-07T23:10:00Z', '2026-11-07'],
  ['20261107', '2026-11-07'],
  ['07.11.2026', '2026-11-07'],
  ['7.11.26', '2026-11-07'],
  ['07/11/2026', '2026-11-07'],
  ['07-11-2026', '2026-11-07'],
  ['07 Nov 2026', '2026-11-07'],
  ['7-Nov-26', '2026-11-07'],
  ['07/11/2026 10:00', '2026-11-07'],
  ['31.02.2026', undefined],
  ['Total', undefined],
  ['', undefined],
]

for (const [typed, day] of days)
  test(`the date "${typed}" of a bank is ${day ?? 'none'}`, () =>
    assert.equal(readDay(typed, 'day_first'), day))

test('only a number above 12 tells day from month', () => {
  for (const [date, order] of [
    ['01/02/2026', 'either'],
    ['11/17/2026', 'month_first'],
    ['11-17-26', 'month_first'],
    ['17/11/2026 10:00', 'day_first'],
    ['05/05/2026', undefined],
    ['17/17/2026', undefined],
    ['01.02.2026', undefined],
    ['2026-02-01', undefined],
    ['Total', undefined],
  ] as const)
    assert.equal(orderShownBy(date), order, date)
  assert.equal(readDay('11/17/2026', 'month_first'), '2026-11-17')
  assert.equal(readDay('11-17-2026', 'month_first'), '2026-11-17')
})
