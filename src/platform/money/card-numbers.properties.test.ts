import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { containsCardNumber } from './card-numbers.ts'
import { withPlainDigits } from './plain-digits.ts'

// A card number in every script and with everything between its groups that a keyboard has.

const numbers = ['4222222222222', '4242424242424242', '5555555555554444', '378282246310005', '30569309025904']
const number = fc.constantFrom(
  ...numbers,
  '6011111111111117',
  '3530111333300000',
  '6200000000000005',
  '6759649826438453',
)

/** The zero of every script that Unicode knows. */
const zeros = Array.from({ length: 0x1fbff }, (_, code) => code).filter(
  (code) => /\p{Nd}/u.test(String.fromCodePoint(code)) && withPlainDigits(String.fromCodePoint(code)) === '0',
)
const zero = fc.constantFrom(...zeros)

function inScript(digits: string, from: number): string {
  return digits.replace(/[0-9]/g, (digit) => String.fromCodePoint(from + Number(digit)))
}

const spaces = [' ', '  ', '\u00a0', '\u2009', '\u202f', '\u3000', '\t']
const dashes = ['-', '–', '—', '\u2010', '\u2011', '‒', '－', ' - ']
const unseen = ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\u200f', '\u0301']
const others = [
  '.',
  '·',
  '•',
  '/',
  ' / ',
  '\\',
  '|',
  '_',
  '*',
  ':',
  '~',
  "'",
  ',',
  ';',
  '。',
  '…',
  '="',
  '🙂',
]
const separator = fc.constantFrom(...spaces, ...dashes, ...unseen, ...others)

/** Groups of three digits or more, each with a separator of its own before it. */
const written = fc
  .tuple(number, fc.integer({ min: 3, max: 6 }), fc.array(separator, { minLength: 6, maxLength: 6 }))
  .map(([digits, size, between]) => {
    const groups = digits.match(new RegExp(`.{${size},${size * 2 - 1}}?(?=.{${size}}|$)`, 'g')) ?? []
    return groups.map((group, index) => (index === 0 ? '' : between[index]) + group).join('')
  })

test('every script’s ten digits are read correctly', () => {
  assert.ok(zeros.length >= 60)
  for (const from of zeros) {
    for (let digit = 0; digit <= 9; digit += 1)
      assert.equal(withPlainDigits(String.fromCodePoint(from + digit)), String(digit))
  }
  assert.equal(withPlainDigits('①²₃½⑫ x'), '123½⑫ x')
})

test('a card number is found in any script, whatever separates its groups', () => {
  fc.assert(
    fc.property(written, zero, (text, from) => {
      assert.ok(containsCardNumber(inScript(text, from)), text)
    }),
    { numRuns: 2_000 },
  )
})

test('a card number in mixed scripts is found, as in a paste from two places', () => {
  fc.assert(
    fc.property(number, fc.array(zero, { minLength: 19, maxLength: 19 }), (digits, froms) => {
      const text = [...digits].map((digit, index) => inScript(digit, froms[index] ?? 48)).join('')
      assert.ok(containsCardNumber(`Card: ${text}!`), text)
    }),
  )
})

test('a card number is found when every digit stands alone, and between words', () => {
  fc.assert(
    fc.property(
      number,
      separator,
      zero,
      fc.constantFrom('', 'Ada ', 'order '),
      (digits, between, from, word) => {
        const text = `${word}${inScript([...digits].join(between), from)}`
        assert.ok(containsCardNumber(text), text)
      },
    ),
  )
})

test('invisible characters can’t hide a card number', () => {
  const hidden = fc.array(fc.constantFrom('', '', ...unseen), { minLength: 19, maxLength: 19 })
  fc.assert(
    fc.property(number, hidden, (digits, between) => {
      const text = [...digits].map((digit, index) => digit + (between[index] ?? '')).join('')
      assert.ok(containsCardNumber(`7 ${text} 12`), JSON.stringify(text))
    }),
  )
})

test('a number with a wrong check digit is no card, in any script and with any separators', () => {
  fc.assert(
    fc.property(fc.constantFrom(...numbers), fc.integer({ min: 1, max: 9 }), zero, (digits, off, from) => {
      const last = (Number(digits.at(-1)) + off) % 10
      assert.ok(!containsCardNumber(inScript(`${digits.slice(0, -1)}${last}`, from)))
    }),
  )
})

test('any text is read without throwing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 400 }), (text) => void containsCardNumber(text)),
  )
})
