import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldText } from './fold-text.ts'

test('accents and capitals make no difference', () => {
  for (const [written, folded] of [
    ['García', 'garcia'],
    ['MÜLLER', 'muller'],
    ['Łukasz Øster', 'lukasz oster'],
    ['Straße', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['Nguyễn', 'nguyen'],
    ['Ёлка', 'елка'],
    ['مُحَمَّد', 'محمد'],
  ] as const)
    assert.equal(foldText(written), folded)
})

test('letters that are no accents stay', () => {
  for (const text of ['が', '김', 'हिन्दी', '李小龙']) assert.equal(foldText(text), text)
})

test('any digits are plain digits, and any white space is one space', () => {
  assert.equal(foldText(' ١٢٣\u00a0\n４５\u200b6 '), '123 456')
})
