import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { readCsv } from '../../../../test/support/read-csv.ts'
import { csvLine } from './csv-line.ts'

test('cells are separated by commas, and lines end as in RFC 4180', () => {
  assert.equal(csvLine(['order-1', 12, 1_234_50n, null, 'Ada']), 'order-1,12,123450,,Ada\r\n')
})

test('quotes, separators and line breaks stay within their cell', () => {
  assert.equal(csvLine(['a"b', 'a,b', 'a\r\nb', 'a;b']), '"a""b","a,b","a\r\nb","a;b"\r\n')
})

test('a cell that looks like a formula gets a leading quote', () => {
  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '＝1+1',
    '=cmd|" /C calc"!A0',
  ]
  for (const text of formulas) {
    assert.deepEqual(readCsv(csvLine([text])), [[`'${text}`]])
  }
  assert.equal(csvLine(['a=1', -5, -5n, { decimal: '-5.20' }]), 'a=1,-5,-5,-5.20\r\n')
})

test('any text survives a round trip, except the quote before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: anyCharacter }), { minLength: 2, maxLength: 6 }), (cells) => {
      const [read = []] = readCsv(csvLine(cells))
      assert.deepEqual(
        read,
        cells.map((cell) => (/^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(cell) ? `'${cell}` : cell)),
      )
    }),
  )
})

test('a region has its own separator, decimal point and clock; the default has commas and UTC', () => {
  const cells = ['a;b', { decimal: '-1234.50' }, 7, { moment: '2026-07-15T22:30:00.123456Z' }] as const
  assert.equal(csvLine(cells), '"a;b",-1234.50,7,2026-07-15T22:30:00.123456Z\r\n')
  const style = { separator: ';', decimalPoint: ',', timeZone: 'Europe/Berlin' } as const
  assert.equal(csvLine(cells, style), '"a;b";-1234,50;7;2026-07-16 00:30:00\r\n')
})
