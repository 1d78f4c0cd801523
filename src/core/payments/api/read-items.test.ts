import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fields } from '../../../platform/input/fields.ts'
import { readItems } from './read-items.ts'

type Owed = { currency: string | undefined; amountMinor: bigint | undefined }

const tenPounds: Owed = { currency: 'GBP', amountMinor: 1000n }

/** The column's value, or the broken rules, of a body with this text under items. */
function read(itemsText: string, owed = tenPounds): unknown {
  const bodyText = `{"tx_ref":"a","items":${itemsText}}`
  const fields = new Fields(JSON.parse(bodyText))
  const text = readItems(fields, bodyText, owed)
  const rules = fields.errors['items']
  if (rules === undefined) return text === null ? null : JSON.parse(text)
  assert.equal(text, null, 'what broke a rule is not kept')
  return rules
}

/** The same of one item, with these members beside its name and price. */
const readOne = (members: string, owed?: Owed): unknown =>
  read(`[{"name":"A","unit_amount":"10.00"${members}}]`, owed)

const oneOf = (quantity: number, unitMinor: number): unknown[] => [
  { name: 'A', quantity, unit_minor: String(unitMinor) },
]

test('items are stored with a quantity of one and no tax by default', () => {
  assert.deepEqual(
    read('[{"name":" Chair ","quantity":"2","unit_amount":4.5,"tax_rate":20},{"name":"B","unit_amount":1}]'),
    [
      { name: 'Chair', quantity: 2, unit_minor: '450', tax_rate: '20' },
      { name: 'B', quantity: 1, unit_minor: '100' },
    ],
  )
  for (const nothing of ['null', '[]', '""', '{}']) assert.equal(read(nothing), null, nothing)
})

test('anything but a list of at most a hundred objects is refused', () => {
  for (const odd of ['"a chair"', '7', '{"name":"A"}', '{"0":7.25}', 'true'])
    assert.deepEqual(read(odd), ['items must be a list'], odd)
  for (const odd of ['null', '7', '"a chair"', '[]', '[1]', 'true'])
    assert.deepEqual(read(`[${odd}]`), ['items[0] must be an object'], odd)
  const pennies = (count: number): unknown =>
    read(JSON.stringify(Array.from({ length: count }, () => ({ name: 'A', unit_amount: '0.10' }))))
  assert.equal((pennies(100) as unknown[]).length, 100)
  assert.deepEqual(pennies(101), ['items must have at most 100 lines'])
})

test('items may be five levels deep, enough for any price and safe for the stack', () => {
  const nested = (levels: number): string => '['.repeat(levels) + '1.50' + ']'.repeat(levels)
  const kept = [{ name: 'A', quantity: 1, unit_minor: '1000' }]
  assert.deepEqual(readOne(`,"more":${nested(3)}`), kept)
  for (const levels of [4, 30_000])
    assert.deepEqual(readOne(`,"more":${nested(levels)}`), ['items must be at most 5 levels deep'])
})

test('every mistake in every item is reported by its position', () => {
  assert.deepEqual(read('[{"quantity":0},{"name":"B","unit_amount":"10"},{"name":"C","unit_amount":true}]'), [
    'items[0].name is required',
    'items[0].quantity must be a whole number from 1 to 1,000,000',
    'items[0].unit_amount is required',
    'items[2].unit_amount must be a string or a number',
  ])
  assert.deepEqual(read('[{"name":"4242 4242 4242 4242","unit_amount":"10","tax_rate":"x"}]'), [
    'items[0].name must not contain a card number: Florin never stores card numbers',
    'items[0].tax_rate must be percent from 0 to 100 with at most 2 decimals, such as 20 or 5.5',
  ])
})

test('a quantity is a whole number from one to a million, as a number or in digits', () => {
  const rule = ['items[0].quantity must be a whole number from 1 to 1,000,000']
  const free = { currency: 'GBP', amountMinor: 0n }
  const withQuantity = (written: string): unknown =>
    read(`[{"name":"A","unit_amount":0,"quantity":${written}}]`, free)
  for (const [written, quantity] of [
    ['1', 1],
    ['2', 2],
    ['"03"', 3],
    ['999999', 999_999],
    ['1000000', 1_000_000],
    ['"1000000"', 1_000_000],
    ['null', 1],
    ['""', 1],
  ] as const)
    assert.deepEqual(withQuantity(written), oneOf(quantity, 0), written)
  for (const odd of [
    '0',
    '-1',
    '1.5',
    '1000001',
    '"1000001"',
    '"1.0"',
    '"two"',
    '"1e3"',
    'true',
    '[1]',
    '1e400',
  ])
    assert.deepEqual(withQuantity(odd), rule, odd)
})

test('a price is read exactly: zero is free, a minus is a discount, and nothing is rounded', () => {
  const priced = (written: string, amountMinor: bigint, currency = 'GBP'): unknown =>
    read(`[{"name":"A","unit_amount":${written}}]`, { currency, amountMinor })
  for (const [written, minor] of [
    ['10.50', 1050],
    ['"10.50"', 1050],
    ['-10.5', -1050],
    ['"-10.50"', -1050],
    ['10', 1000],
    ['0', 0],
    ['-0', 0],
    ['"0.00"', 0],
    ['0.000', 0],
    ['"000000000.000000000"', 0],
    ['999999999.99', 99_999_999_999],
    ['"-999999999.99"', -99_999_999_999],
  ] as const)
    assert.deepEqual(priced(written, BigInt(minor)), oneOf(1, minor), written)
  assert.deepEqual(priced('1500', 1500n, 'JPY'), oneOf(1, 1500))
  for (const [written, rule] of [
    ['9.99999999999999999999', 'unit_amount must have at most 2 decimals for GBP'],
    ['1e1', 'unit_amount must be a plain decimal number such as 1000.50'],
    ['"--10"', 'unit_amount must be a plain decimal number such as 1000.50'],
    ['"ten"', 'unit_amount must be a plain decimal number such as 1000.50'],
    ['"0000000000"', 'unit_amount must be a plain decimal number such as 1000.50'],
    ['1000000000', 'unit_amount must be at most 999,999,999.99'],
    ['true', 'unit_amount must be a string or a number'],
    ['[10]', 'unit_amount must be a string or a number'],
    ['{"a":1.50}', 'unit_amount must be a string or a number'],
    ['null', 'unit_amount is required'],
  ] as const)
    assert.deepEqual(priced(written, 1000n), [`items[0].${rule}`], written)
})

test('a tax rate has at most two decimals, and is stored without trailing zeros', () => {
  for (const [written, kept] of [
    ['"20"', '20'],
    ['20', '20'],
    ['20.00', '20'],
    ['"020.50"', '20.5'],
    ['5.25', '5.25'],
    ['"0.05"', '0.05'],
    ['0', '0'],
    ['"000"', '0'],
    ['100', '100'],
    ['"100.00"', '100'],
    ['99.99', '99.99'],
  ] as const)
    assert.deepEqual(
      readOne(`,"tax_rate":${written}`),
      [{ name: 'A', quantity: 1, unit_minor: '1000', tax_rate: kept }],
      written,
    )
  for (const odd of [
    '100.01',
    '101',
    '"101"',
    '5.255',
    '-1',
    '"5%"',
    '1e1',
    'true',
    '[20]',
    '20.000000000000000001',
  ])
    assert.deepEqual(
      readOne(`,"tax_rate":${odd}`),
      ['items[0].tax_rate must be percent from 0 to 100 with at most 2 decimals, such as 20 or 5.5'],
      odd,
    )
})

test('items must add up to the amount, or both sums are reported', () => {
  const basket =
    '[{"name":"A","quantity":3,"unit_amount":"4.00"},{"name":"B","unit_amount":"-2.50"},{"name":"C","unit_amount":0.5}]'
  assert.equal((read(basket) as unknown[]).length, 3)
  for (const [amountMinor, owed] of [
    [999n, '9.99'],
    [1001n, '10.01'],
  ] as const)
    assert.deepEqual(read(basket, { currency: 'GBP', amountMinor }), [
      `items must add up to the amount: they add up to 10.00, but amount is ${owed}`,
    ])
})

test('without a currency or amount nothing is added up, but items’ mistakes are still reported', () => {
  for (const owed of [
    { currency: undefined, amountMinor: undefined },
    { currency: undefined, amountMinor: 1000n },
    { currency: 'GBP', amountMinor: undefined },
  ]) {
    assert.equal(readOne('', owed), null)
    assert.deepEqual(readOne(',"quantity":0', owed), [
      'items[0].quantity must be a whole number from 1 to 1,000,000',
    ])
  }
  assert.deepEqual(read('[{"name":"A"}]', { currency: undefined, amountMinor: undefined }), [
    'items[0].unit_amount is required',
  ])
})
