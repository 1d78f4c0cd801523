import assert from 'node:assert/strict'
import { test } from 'node:test'
import { displayAmount, displayPercent, feeOf, formatAmount, parseAmount, plainAmount } from './money.ts'

function refusal(text: string, code: string): string {
  const parsed = parseAmount(text, code)
  return parsed.ok ? `accepted as ${parsed.minor}` : parsed.rule
}

test('amounts are read exactly as merchants write them', () => {
  const rows: [string, string, bigint][] = [
    ['1000', 'GBP', 100_000n],
    ['1000.5', 'GBP', 100_050n],
    ['1000.50', 'GBP', 100_050n],
    ['0.50', 'GBP', 50n],
    ['0.01', 'GBP', 1n],
    ['999999999.99', 'GBP', 99_999_999_999n],
    ['1000', 'JPY', 1000n],
    ['999999999', 'JPY', 999_999_999n],
    ['0.001', 'KWD', 1n],
    ['999999999.990', 'KWD', 999_999_999_990n],
    ['0.0001', 'CLF', 1n],
    ['0.29', 'GBP', 29n],
    ['1.005', 'KWD', 1005n],
  ]
  for (const [text, code, minor] of rows)
    assert.deepEqual(parseAmount(text, code), { ok: true, minor }, `${text} ${code}`)
})

test('anything but a plain decimal is refused', () => {
  const signsAndForms =
    '|.|1.|.5|1..5|1.5.0|+1|-1|-0|−1|1e3|1E3|1e-2|1E+2|0x10|0b1|0o7|1n|1_000|1,000|1,50|£1|NaN|Infinity|null'
  const spaces = ' | 1|1 |1 000|1\n|\t1|1\u0000|\u00A01|\uFEFF1|1\u200B'
  const foreignDigits = '１２|१२|١٢|¹|½|1．5|1٫5'
  const leadingZeros = '007|00|00.50|01.5'
  const texts = [signsAndForms, spaces, foreignDigits, leadingZeros].join('|').split('|')
  for (const text of texts) {
    assert.equal(
      refusal(text, 'GBP'),
      'amount must be a plain decimal number such as 1000.50',
      JSON.stringify(text),
    )
  }
})

test('each refusal says which rule was broken', () => {
  const rows: [string, string, string][] = [
    ['0', 'GBP', 'amount must be more than zero'],
    ['0.00', 'GBP', 'amount must be more than zero'],
    ['1.001', 'GBP', 'amount must have at most 2 decimals for GBP'],
    ['0.30000000000000004', 'GBP', 'amount must have at most 2 decimals for GBP'],
    ['19.99999999999999999', 'GBP', 'amount must have at most 2 decimals for GBP'],
    ['1.5', 'JPY', 'amount must have no decimals for JPY'],
    ['100.001', 'JPY', 'amount must have no decimals for JPY'],
    ['1.0001', 'KWD', 'amount must have at most 3 decimals for KWD'],
    ['1000000000', 'GBP', 'amount must be at most 999,999,999.99'],
    ['1000000000', 'JPY', 'amount must be at most 999,999,999.99'],
    ['999999999.991', 'KWD', 'amount must be at most 999,999,999.99'],
    ['999999999.9901', 'CLF', 'amount must be at most 999,999,999.99'],
    ['9'.repeat(1_000_000), 'GBP', 'amount must be at most 999,999,999.99'],
  ]
  for (const [text, code, rule] of rows) assert.equal(refusal(text, code), rule)
})

test('trailing zeros beyond a currency’s decimals change nothing', () => {
  const rows: [string, string, bigint][] = [
    ['10.0000', 'GBP', 1_000n],
    ['10.5000', 'GBP', 1_050n],
    ['100.00', 'JPY', 100n],
    ['1.2340', 'KWD', 1_234n],
    [`1.${'0'.repeat(60_000)}`, 'GBP', 100n],
  ]
  for (const [text, code, minor] of rows) assert.deepEqual(parseAmount(text, code), { ok: true, minor })
})

test('an unknown currency is the caller’s bug and throws', () => {
  assert.throws(() => parseAmount('1', 'XXX'), RangeError)
  assert.throws(() => formatAmount(1n, 'gbp'), RangeError)
  assert.throws(() => plainAmount(1n, 'HRK'), RangeError)
  assert.throws(() => displayAmount(1n, 'XAU', 'en-GB'), RangeError)
})

test('amounts are written with separators, at least two decimals, and a sign when negative', () => {
  const rows: [bigint, string, string, string][] = [
    [123_450n, 'GBP', '1,234.50', '1234.50'],
    [1n, 'GBP', '0.01', '0.01'],
    [0n, 'GBP', '0.00', '0.00'],
    [99_999n, 'GBP', '999.99', '999.99'],
    [100_000n, 'GBP', '1,000.00', '1000.00'],
    [99_999_999_999n, 'GBP', '999,999,999.99', '999999999.99'],
    [1000n, 'JPY', '1,000.00', '1000'],
    [0n, 'JPY', '0.00', '0'],
    [1_234_500n, 'KWD', '1,234.500', '1234.500'],
    [12_345_000n, 'CLF', '1,234.5000', '1234.5000'],
    [-123_450n, 'GBP', '-1,234.50', '-1234.50'],
    [-5n, 'GBP', '-0.05', '-0.05'],
  ]
  for (const [minor, code, formatted, plain] of rows) {
    assert.equal(formatAmount(minor, code), formatted)
    assert.equal(plainAmount(minor, code), plain)
  }
})

test('amounts are formatted for the reader’s country', () => {
  const rows: [bigint, string, string, string][] = [
    [123_450n, 'GBP', 'en-GB', '£1,234.50'],
    [-500n, 'GBP', 'en-GB', '−£5.00'],
    [-500n, 'PLN', 'pl-PL', '−5,00 zł'],
    [123_456_750n, 'INR', 'en-IN', '₹12,34,567.50'],
    [123_456_750n, 'USD', 'en-IN', '$12,34,567.50'],
    [123_450n, 'USD', 'en-US', '$1,234.50'],
    [123_450n, 'USD', 'en-GB', 'US$1,234.50'],
    [123_450n, 'EUR', 'de-DE', '1.234,50 €'],
    [1000n, 'JPY', 'ja-JP', '￥1,000'],
    [123_450n, 'HUF', 'hu-HU', '1234,50 Ft'],
    [1_234_567n, 'KWD', 'en-GB', 'KWD 1,234.567'],
    [12_345_678_901_234_567_890_123n, 'GBP', 'en-GB', '£123,456,789,012,345,678,901.23'],
  ]
  for (const [minor, code, locale, shown] of rows) {
    assert.equal(displayAmount(minor, code, locale).replace(/\s/g, ' '), shown)
  }
})

test('a percentage has a space only where the language has one', () => {
  const written = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'pl-PL', 'cy-GB'].map((locale) =>
    displayPercent('5.5', locale).replace(/\s/g, ' '),
  )
  assert.deepEqual(written, ['5.5%', '5.5%', '5,5 %', '5,5 %', '5,5 %', '5,5%', '5.5%'])
})

test('a fee is a percentage rounded half up plus a fixed part', () => {
  const rows: [bigint, number, bigint, bigint][] = [
    [100_000n, 140, 20n, 1420n],
    [1000n, 140, 20n, 34n],
    [50n, 100, 0n, 1n],
    [49n, 100, 0n, 0n],
    [150n, 100, 0n, 2n],
    [250n, 100, 0n, 3n],
    [1n, 140, 20n, 20n],
    [20n, 140, 20n, 20n],
    [21n, 140, 20n, 20n],
    [1000n, 0, 0n, 0n],
    [0n, 140, 20n, 20n],
  ]
  for (const [minor, basisPoints, fixedMinor, fee] of rows) {
    assert.equal(feeOf(minor, { basisPoints, fixedMinor }), fee, `${minor} at ${basisPoints} + ${fixedMinor}`)
  }
  assert.throws(() => feeOf(-1n, { basisPoints: 140, fixedMinor: 0n }), RangeError)
  assert.throws(() => feeOf(1n, { basisPoints: -1, fixedMinor: 0n }), RangeError)
  assert.throws(() => feeOf(1n, { basisPoints: 1.5, fixedMinor: 0n }), RangeError)
  assert.throws(() => feeOf(1n, { basisPoints: 1, fixedMinor: -1n }), RangeError)
})
