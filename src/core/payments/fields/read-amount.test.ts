import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fields } from '../../../platform/input/fields.ts'
import { readAmount } from './read-amount.ts'

function read(members: string, currency: string | undefined): unknown {
  const bodyText = `{${members}}`
  const fields = new Fields(JSON.parse(bodyText))
  const minor = readAmount(fields, { currency, bodyText })
  return Object.keys(fields.errors).length > 0 ? { ...fields.errors } : minor
}

test('an amount is read in decimals, in the smallest unit, or both if they are equal', () => {
  const rows: [members: string, currency: string, minor: bigint | undefined][] = [
    ['', 'GBP', undefined],
    ['"amount":"12.5"', 'GBP', 1_250n],
    ['"amount_minor":1250', 'GBP', 1_250n],
    ['"amount_minor":"1250"', 'GBP', 1_250n],
    ['"amount_minor":1250', 'JPY', 1_250n],
    ['"amount_minor":99999999999', 'GBP', 99_999_999_999n],
    ['"amount_minor":9999999999900', 'CLF', 9_999_999_999_900n],
    ['"amount":"12.50","amount_minor":1250', 'GBP', 1_250n],
    ['"amount":"","amount_minor":1250', 'GBP', 1_250n],
    ['"amount":"12.50","amount_minor":null', 'GBP', 1_250n],
  ]
  for (const [members, currency, minor] of rows) assert.equal(read(members, currency), minor, members)
})

test('a wrong amount_minor, or one that differs from amount, is refused by name', () => {
  const whole = 'amount_minor must be a whole number of the smallest unit, such as 1050 for 10.50'
  const rows: [members: string, rule: string][] = [
    ['"amount_minor":12.5', whole],
    ['"amount_minor":"12.50"', whole],
    ['"amount_minor":1e3', whole],
    ['"amount_minor":-5', whole],
    ['"amount_minor":"007"', whole],
    [`"amount_minor":${'9'.repeat(50_000)}`, whole],
    ['"amount_minor":true', 'amount_minor must be a string or a number'],
    ['"amount_minor":0', 'amount_minor must be more than zero'],
    ['"amount_minor":100000000000', 'amount_minor must be at most 999,999,999.99'],
    ['"amount":"12.50","amount_minor":12', 'amount_minor must be equal to amount, which is 1250'],
  ]
  for (const [members, rule] of rows)
    assert.deepEqual(read(members, 'GBP'), { amount_minor: [rule] }, members.slice(0, 40))
})

test('without a known currency no amount is read and none is refused', () => {
  assert.equal(read('"amount":"1.005","amount_minor":7', undefined), undefined)
})
