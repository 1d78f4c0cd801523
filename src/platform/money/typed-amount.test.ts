import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainAmount } from './money.ts'
import { readTypedAmount } from './typed-amount.ts'

const read = (text: string, currency = 'GBP'): bigint | undefined => {
  const amount = readTypedAmount(text, currency)
  return amount.ok ? amount.minor : undefined
}

for (const [text, minor] of [
  ['12', 1_200n],
  ['12.5', 1_250n],
  ['12,50', 1_250n],
  [' £ 12.50 ', 1_250n],
  ['12,50 €', 1_250n],
  ['1,234.50', 123_450n],
  ['1.234,50', 123_450n],
  ['1 234,50', 123_450n],
  ['1’234.50', 123_450n],
  ['1,234,567', 123_456_700n],
  ['١٢٫٥٠', 1_250n],
  ['１２．５０', 1_250n],
  ['012.50', 1_250n],
  ['0,500', 50n],
  ['0.200', 20n],
] as const) {
  test(`${text} is an amount`, () => assert.equal(read(text), minor))
}

for (const text of [
  '1.000',
  '1,000',
  '12.345',
  '12.3.4',
  '1,23,456',
  '1.234.50',
  '',
  '-5',
  '1e3',
  '0',
  '12..5',
  'five',
])
  test(`${text === '' ? 'nothing' : text} is refused as ambiguous`, () => assert.equal(read(text), undefined))

test('a currency with three decimals takes three digits after the point, and one without takes none', () => {
  assert.equal(read('12.345', 'KWD'), 12_345n)
  assert.equal(read('1200', 'JPY'), 1_200n)
  assert.equal(read('12.5', 'JPY'), undefined)
})

test('an amount the page put into its own form is read back unchanged', () => {
  const currencies = fc.constantFrom('GBP', 'JPY', 'KWD', 'CLF')
  fc.assert(
    fc.property(fc.bigInt(1n, 99_999_999n), currencies, (minor, currency) => {
      assert.equal(read(plainAmount(minor, currency), currency), minor)
    }),
  )
})
