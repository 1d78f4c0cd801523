import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAmounts } from './read-amounts.ts'

test('an amount is read as people write it', () => {
  for (const [text, terms] of [
    ['12.34', ['=12.34']],
    ['12,34', ['=12.34']],
    ['£12.34', ['=12.34gbp', '=12.34egp']],
    ['12.34 EUR', ['=12.34eur']],
    ['eur 12', ['=12eur']],
    ['€ 1.234,50', ['=1234.5eur']],
    ['1,234.50', ['=1234.5']],
    ['1 234,50', ['=1234.5']],
    ["1'234.50", ['=1234.5']],
    ['1,234,567', ['=1234567']],
    ['٤٢٫٥٠', ['=42.5']],
    ['0.50', ['=0.5']],
    ['100', ['=100']],
    ['100.00', ['=100']],
  ] as const)
    assert.deepEqual(readAmounts(text), terms, text)
})

test('one separator before three digits is read both ways', () => {
  assert.deepEqual(readAmounts('1.234'), ['=1.234', '=1234'])
  assert.deepEqual(readAmounts('1,234 KWD'), ['=1.234kwd', '=1234kwd'])
})

test('any other text is no amount', () => {
  for (const text of ['', 'ada', 'order-12', '12.', '1..2', '12 apples', 'xyz 12', '1234567890123456'])
    assert.deepEqual(readAmounts(text), [], text)
})
