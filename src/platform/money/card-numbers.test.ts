import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { containsCardNumber, isCardNumber, isCvc, speaksOfCard, speaksOfCvc } from './card-numbers.ts'

test('a card number is found next to any other number', () => {
  const texts = [
    '4242424242424242',
    '4242 4242 4242 4242 12/27',
    '4242424242424242 123',
    '123 4242424242424242',
    'Order 7 4242 4242 4242 4242',
    'Order 7 4242 4242 4242 4242 12/27 123',
    '2026-11-15 4242-4242-4242-4242 7',
    '12.50 4242.4242.4242.4242',
    '1234 5678 9012 4242 4242 4242 4242',
    'Amex 3782 822463 10005 12-27',
    '7 6759 6498 2643 8453 12',
    '19 digits: 4000 0012 3456 7890 124 99',
    '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 12/27',
    '42 42 42 42 42 42 42 42 12/27',
    'Card4242424242424242, 12/27',
    'Card: 42 424 2424-24.242 42',
    // The last group may be shorter.
    '123 37 82 82 24 63 10 00 5',
    'DE89 3704 0044 0532 0130 00 4242 4242 4242 4242',
    'BE68 5390 0754 7034 4242 4242 4242 4242',
  ]
  for (const text of texts) assert.ok(containsCardNumber(text), text)
})

test('a card number is found whatever separates its groups', () => {
  const between = [
    ' ',
    '  ',
    ' - ',
    '-',
    '.',
    '\u00a0',
    '\u2009',
    '\u202f',
    '\u3000',
    '\t',
    '\u2010',
    '\u2011',
  ]
  for (const each of [...between, '–', '\u200b', '\u00ad', '\u200e', '\u2009\u2009']) {
    const text = ['4242', '4242', '4242', '4242'].join(each)
    assert.ok(containsCardNumber(text), JSON.stringify(text))
    assert.ok(containsCardNumber(`7 ${text} 12`), JSON.stringify(text))
  }
  for (const text of ['4242-4242 4242.4242 12', '4242 4242 / 4242 4242', '(4242) 4242: 4242 - 4242'])
    assert.ok(containsCardNumber(text), text)
})

test('other numbers are not mistaken for cards', () => {
  const texts = [
    'Order 4242424242424241',
    'Order 1234567890123452',
    'Order 424242424242424242424242',
    'Order 7424242424242424242',
    'Order 2026-11-15-000042',
    'Order 4711, 15.11.2026 14.05',
    // With a date or as a list these are sixteen digits of a card.
    'Order 4242 15.11.2026 14.00',
    'Order 4242 15/11/2026 1400',
    'Order 4242 2026-11-15 14:00',
    'Orders 4242, 4242, 4242, 4242',
    'Orders 42424242 & 42424242',
    'Orders #42424242 #42424242',
    'Tickets £42.42 £42.42 £42.42 £42.42',
    'Items: 42.42 42.42 42.42 42.42',
    'Items: 42,42 42,42 42,42 42,42',
    'Invoice 2026/11/4242 of 15/11/2026',
    '+44 20 7946 0958',
    '+44 20 7946 0958, +49 30 901820',
    'Room 12, 15.11.2026 - 19.11.2026',
    'ISBN 978-3-16-148410-0',
    'DE89 3704 0044 0532 0130 00',
    'DE89370400440532013000',
    'GB29 NWBK 6016 1331 9268 19',
    'FR76 3000 6000 0112 3456 7890 189',
    // Their four groups of four are a card's.
    'DE95 4242 4242 4242 4242 42',
    'Pay to FR76 4242 4242 4242 4242 4242 424.',
    'Items: 12.50 4.00 42.42 42.42 42.42 42.42 4.20 13.99',
    // Beside another number: groups of several sizes, or of one size with several separators, are no one number.
    '7 42 4242 4242 4242 42',
    '123.42.42-42.42-42.42-42.42',
    '',
  ]
  for (const text of texts) assert.ok(!containsCardNumber(text), text)
})

test('a card number of any scheme is found among other words and numbers', () => {
  const numbers = [
    '4222222222222',
    '5555555555554444',
    '378282246310005',
    '30569309025904',
    '6011111111111117',
  ]
  const card = fc
    .tuple(
      fc.constantFrom(...numbers, '3530111333300000', '6200000000000005'),
      fc.integer({ min: 3, max: 6 }),
    )
    .map(
      ([digits, size]) => digits.match(new RegExp(`.{${size},${size * 2 - 1}}?(?=.{${size}}|$)`, 'g')) ?? [],
    )
    .map((groups) => groups.join(' '))
  const other = fc.oneof(fc.stringMatching(/^[0-9]{1,6}$/), fc.constantFrom('Order', '12/27', '£12.50', ','))
  fc.assert(
    fc.property(fc.array(other), card, fc.array(other), (before, number, after) => {
      assert.ok(containsCardNumber([...before, number, ...after].join(' ')))
    }),
  )
})

// By the first four digits, as the schemes publish them.
const ranges: readonly (readonly [from: number, to: number, lengths: readonly number[]])[] = [
  [4000, 4999, [13, 16, 19]], // Visa
  [5100, 5599, [16]], // Mastercard
  [2221, 2720, [16]],
  [3400, 3499, [15]], // American Express
  [3700, 3799, [15]],
  [3000, 3059, [14, 16, 19]], // Diners Club
  [3600, 3699, [14, 16, 19]],
  [3800, 3999, [14, 16, 19]],
  [6011, 6011, [16, 19]], // Discover
  [6440, 6599, [16, 19]],
  [3528, 3589, [16, 19]], // JCB
  [6200, 6299, [16, 17, 18, 19]], // UnionPay
  ...[5018, 5020, 5038, 5893, 6304, 6759, 6761, 6762, 6763].map(
    (prefix) => [prefix, prefix, [12, 13, 14, 15, 16, 17, 18, 19]] as const, // Maestro
  ),
]

test('every scheme’s ranges begin and end where they should, in every length', () => {
  for (let prefix = 0; prefix <= 9_999; prefix += 1) {
    for (let length = 11; length <= 20; length += 1) {
      const expected = ranges.some(
        ([from, to, lengths]) => from <= prefix && prefix <= to && lengths.includes(length),
      )
      const digits = withCheckDigit(
        String(prefix)
          .padStart(4, '0')
          .padEnd(length - 1, '7'),
      )
      assert.equal(isCardNumber(digits), expected, digits)
    }
  }
})

test('a number with a wrong check digit is no card', () => {
  const right = withCheckDigit('424242424242424')
  for (let last = 0; last <= 9; last += 1) {
    const digits = `424242424242424${last}`
    assert.equal(isCardNumber(digits), digits === right, digits)
  }
})

function withCheckDigit(body: string): string {
  // Of the digits from the right every other one is doubled, and the check digit makes a multiple of ten.
  const sum = [...body].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

test('a text of single digits is read quickly', () => {
  // Of this thread alone: a machine that is busy or stands still costs it nothing.
  const before = process.threadCpuUsage()
  for (const text of ['7 '.repeat(4096), '4 4 4 5 '.repeat(1024), '1'.repeat(8192), `4${' '.repeat(8190)}4`])
    containsCardNumber(text)
  assert.ok(process.threadCpuUsage(before).user < 1_000_000)
})

test('card-related keys are recognised in every spelling', () => {
  const keys =
    'card|cards|Card|card_number|cardNumber|CardNumber|CARD_NUMBER|cardnumber|cardnum|card-no|cardno|payment.card|' +
    'creditCard|creditcardnumber|debit card|card1|pan|PAN|PANNumber|panNumber|pan_no|myPANnumber|cc|CC|cc_number|' +
    'ccNumber|CCNumber|CCnum|ccno|cvv|CVV2|cvc|cvvCode|CVC_code|mastercard|visa|customerCC'
  for (const key of keys.split('|')) assert.ok(speaksOfCard(key), key)
  const others =
    'order|company|panel|span|account|discard|cardigan|cardiff|success|accNumber|japan|a|campaign_no'
  for (const key of others.split('|')) assert.ok(!speaksOfCard(key), key)
})

test('keys for security codes are recognised, and so are the codes below them', () => {
  const keys =
    'cvc|CVC|cvv|cvv2|CVV2|card_cvc|cardCvv|cvcCode|csc|cvn|cvd|cardSecurityCode|security_code|verificationValue'
  for (const key of keys.split('|')) {
    assert.ok(speaksOfCvc(key), key)
    assert.ok(speaksOfCard(key), key)
  }
  for (const key of 'card|pan|code|discount_code|securityCodex|cvcs_seen|scvc'.split('|'))
    assert.ok(!speaksOfCvc(key), key)
  for (const text of ['123', '0737', ' 123 ', '1 2 3', '٧٣٧', '７３７', '7\u200b37'])
    assert.ok(isCvc(text), text)
  for (const text of ['', '12', '12345', 'pass', 'match 123', '1.5e3']) assert.ok(!isCvc(text), text)
})
