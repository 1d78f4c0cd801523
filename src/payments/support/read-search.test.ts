import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
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
  assert.deepEqual([readSearch('ada@')?.email, readSearch('ada@')?.emailStart], [undefined, 'ada@'])
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
    assert.equal(readSearch(text)?.reference, 'FLRN7E6AFM3XJF', text)
  assert.equal(readSearch('FLRN7E6AFM3XJ')?.reference, undefined)
})

test('a name may be a surname, a full name, or both reversed', () => {
  assert.deepEqual(readSearch('Lovelace')?.names, [{ last: 'Lovelace', first: '' }])
  const names = readSearch('Ada de la Cruz')?.names ?? []
  assert.ok(names.some(({ last, first }) => last === 'de la Cruz' && first === 'Ada'))
  assert.ok(
    readSearch('Lovelace, Ada')?.names.some(({ last, first }) => last === 'Lovelace' && first === 'Ada'),
  )
})

test('three letters search by prefix, fewer would match too much', () => {
  const starts = (text: string): unknown => {
    const { txRefStart, emailStart, names } = readSearch(text) ?? {}
    return [txRefStart, emailStart, names]
  }
  assert.deepEqual(starts('ad'), [undefined, undefined, []])
  assert.deepEqual(starts('ada'), ['ada', 'ada', [{ last: 'ada', first: '' }]])
  const [txRefStart, emailStart] = starts('ada l') as unknown[]
  assert.deepEqual([txRefStart, emailStart], ['ada l', undefined], 'no address begins with two words')
})

test('only the first ways to split a long name are tried, and only the start of a long text', () => {
  const names = readSearch('a b c d e f')?.names ?? []
  assert.deepEqual(names, [
    { last: 'a b c d e f', first: '' },
    { last: 'b c d e f', first: 'a' },
    { last: 'a', first: 'b c d e f' },
    { last: 'c d e f', first: 'a b' },
    { last: 'a b', first: 'c d e f' },
    { last: 'd e f', first: 'a b c' },
    { last: 'a b c', first: 'd e f' },
  ])
  for (const length of [399, 400, 401])
    assert.equal(readSearch('x'.repeat(length))?.txRefStart?.length, Math.min(length, 400))
})

test('white space is no search, anything else is', () => {
  for (const text of ['', '  ', '\0', '\u200b']) assert.equal(readSearch(text), undefined)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = JSON.stringify(readSearch(text) ?? {})
      assert.ok(!found.includes(String.raw`\u0000`) && found.isWellFormed())
    }),
  )
})
