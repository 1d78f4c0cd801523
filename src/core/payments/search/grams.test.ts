import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gramsOfNeedle, gramsOfText, isIn, isPart, patternsOf, textOf, type Needle } from './grams.ts'
import { foldText } from './fold-text.ts'

const place = { merchantId: 20_000_001, mode: 'live', slice: 1 }
const payment = {
  tx_ref: 'order_2026-0042',
  reference: 'FLRN7E6AFM3XJF',
  email: 'J.Garcia@Example.com',
  first_name: 'José',
  last_name: 'García Ng',
  title: '李小龙 T-shirt 100%',
  amount_minor: 123_450n,
  currency: 'GBP',
}
const text = textOf(payment)

function needle(word: string): Needle {
  const folded = foldText(word)
  return isPart(folded) ? { parts: [folded], terms: [] } : { parts: [], terms: [folded] }
}

/** As the index finds it, and as its text decides. */
function finds(asked: Needle): boolean {
  const stored = new Set(gramsOfText(text, place))
  const isCandidate = gramsOfNeedle(asked, place).every((gram) => stored.has(gram))
  // What the text has must never be missed by the index.
  assert.ok(isCandidate || !isIn(text, asked), JSON.stringify(asked))
  return isCandidate && isIn(text, asked)
}

test('any three letters in a row of any field are found', () => {
  for (const word of ['0042', 'der_2', 'E6AF', 'garc', 'GARCÍA', 'xample.co', 'jose', 'shirt', '100%'])
    assert.equal(finds(needle(word)), true, word)
  for (const word of ['0043', 'garcía-', 'xamplé.de', 'seg']) assert.equal(finds(needle(word)), false, word)
})

test('three letters in a row have one number, whatever stands beside them', () => {
  const garcia = gramsOfText('garcia', place)
  assert.equal(garcia.length, 4)
  assert.deepEqual(gramsOfText('garcia一', place).slice(0, 4), garcia)
  assert.deepEqual(gramsOfNeedle({ parts: ['cia'], terms: [] }, place), garcia.slice(-1))
  assert.deepEqual(gramsOfText('ng', place), [])
})

test('one or two letters are found as a whole word only', () => {
  for (const word of ['ng', 'Ng', 'T', 'J']) assert.equal(finds(needle(word)), true, word)
  for (const word of ['na', 'g', 'os']) assert.equal(finds(needle(word)), false, word)
})

test('scripts without spaces are found by one character', () => {
  for (const word of ['李', '小龙', '李小龙', '龙']) assert.equal(finds(needle(word)), true, word)
  for (const word of ['龙李', '王']) assert.equal(finds(needle(word)), false, word)
})

test('an amount is found with and without its currency, as a whole', () => {
  for (const term of ['=1234.5', '=1234.5gbp']) assert.equal(finds({ parts: [], terms: [term] }), true, term)
  for (const term of ['=1234', '=234.5', '=1234.5eur'])
    assert.equal(finds({ parts: [], terms: [term] }), false)
})

test('all words must be there', () => {
  assert.equal(finds({ parts: ['garcia', 'jose'], terms: ['ng'] }), true)
  assert.equal(finds({ parts: ['garcia', 'maria'], terms: [] }), false)
})

test('another merchant, mode or slice has other numbers', () => {
  const own = new Set(gramsOfText(text, place))
  for (const other of [{ merchantId: 20_000_002 }, { mode: 'test' }, { slice: 2 }])
    assert.ok(gramsOfText(text, { ...place, ...other }).filter((gram) => own.has(gram)).length < 3)
})

test('signs of patterns are plain characters', () => {
  assert.deepEqual(patternsOf({ parts: ['a_b%', String.raw`c\d`], terms: ['ng'] }), [
    String.raw`%a\_b\%%`,
    String.raw`%c\\d%`,
    '%\u0001ng\u0001%',
  ])
})
