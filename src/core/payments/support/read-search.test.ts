import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../../../../test/support/any-character.ts'
import { readSearch } from './read-search.ts'

const digits = `12345678${'0123456789'.repeat(3).slice(0, 24)}`

test('a checkout link is found in any pasted text', () => {
  for (const text of [
    `https://pay.example.com/payment/${digits}`,
    ` <https://pay.example.com/payment/${digits}?lang=de>. `,
    `Hello, see http://127.0.0.1:3000/payment/${digits}, it does not work`,
    digits,
  ])
    assert.deepEqual(readSearch(text)?.number, { merchantId: 12_345_678, number: digits.slice(8) }, text)
  assert.deepEqual(readSearch(digits.slice(8))?.number, { merchantId: undefined, number: digits.slice(8) })
})

test('a tx_ref is tried as typed, and without surrounding spaces and quotes', () => {
  assert.ok(readSearch('  order-1001 \n')?.txRefs.includes('order-1001'))
  assert.ok(readSearch('order- 10 01')?.txRefs.includes('order-1001'))
  assert.ok(readSearch('“order-1001”,')?.txRefs.includes('order-1001'))
  assert.ok(readSearch('ORDER-1001')?.txRefs.includes('order-1001'))
  assert.ok(readSearch('"quoted"')?.txRefs.includes('"quoted"'))
  assert.ok(readSearch('order\u200b-1001')?.txRefs.includes('order-1001'), 'what nobody sees is left out')
})

test('an e-mail address is recognised in capitals, in brackets and after mailto:', () => {
  for (const text of [
    'ADA@EXAMPLE.COM',
    'mailto:ada@example.com',
    'Ada Lovelace <ada@example.com>',
    '<ada@example.com>,',
    ' ada@example.com. ',
  ])
    assert.equal(readSearch(text)?.email?.toLowerCase(), 'ada@example.com', text)
  assert.equal(readSearch('ada@')?.email, undefined)
  assert.deepEqual(readSearch('ada@')?.needles, [{ parts: ['ada@'], terms: [] }])
})

test('four digits are the end of a card, however a receipt writes them', () => {
  for (const text of [
    '4242',
    ' 4242 ',
    '•••• 4242',
    '**** **** **** 4242',
    'xxxx-4242',
    'Visa ending in 4242',
  ])
    assert.equal(readSearch(text)?.last4, '4242', text)
  for (const text of ['424', '42424', 'order-4242', '4242 4242'])
    assert.equal(readSearch(text)?.last4, undefined, text)
})

test('a reference is read as a person would spell it', () => {
  for (const text of [
    'FLRN7E6AFM3XJF',
    'flrn7e6afm3xjf',
    'FLRN 7E6A FM3X JF',
    '#FLRN7E6AFM3XJF',
    'FLRN-7E6A-FM3X-JF',
  ])
    assert.deepEqual(readSearch(text)?.needles.at(-1), { parts: ['flrn7e6afm3xjf'], terms: [] }, text)
})

test('words are looked for in any order, without accents', () => {
  assert.deepEqual(readSearch('Lovelace, Ada')?.needles, [{ parts: ['lovelace', 'ada'], terms: [] }])
  assert.deepEqual(readSearch('José de la Cruz Ng')?.needles, [
    { parts: ['jose', 'cruz'], terms: ['de', 'la', 'ng'] },
  ])
  assert.deepEqual(readSearch('李')?.needles, [{ parts: ['李'], terms: [] }])
  assert.deepEqual(readSearch('محمد')?.needles, [{ parts: ['محمد'], terms: [] }])
})

test('an amount is looked for as an amount and as text', () => {
  assert.deepEqual(readSearch('€12,50')?.needles, [
    { parts: ['€12,50'], terms: [] },
    { parts: [], terms: ['=12.5eur'] },
  ])
})

test('signs alone are looked for in references only, and of many words the first eight', () => {
  assert.deepEqual(readSearch('- .')?.needles, [])
  assert.deepEqual(readSearch('- .')?.txRefs.includes('- .'), true)
  assert.equal(readSearch('one two three four five six seven eight nine')?.needles[0]?.parts.length, 8)
})

test('white space is no search, anything else is', () => {
  for (const text of ['', '  ', '\0', '\u200b']) assert.equal(readSearch(text), undefined)
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const found = JSON.stringify(readSearch(text) ?? {})
      assert.ok(!found.includes(String.raw`\u0000`) && found.isWellFormed())
    }),
  )
})
