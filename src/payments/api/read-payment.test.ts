import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Refusal } from '../../errors/refusals.ts'
import type { Merchant } from '../../merchants/authenticate.ts'
import { plainBrand } from '../../merchants/brand/brand.ts'
import { readPayment } from './read-payment.ts'

const currencies = new Map(['GBP', 'JPY', 'KWD', 'CLF'].map((code) => [code, 0n]))
const merchant: Merchant = {
  id: 1,
  name: 'Corner shop',
  email: null,
  liveEnabled: false,
  isSuspended: false,
  feeBasisPoints: 0,
  formsTakeSecretKeys: true,
  refundFees: false,
  payWithinMinutes: 1_440,
  brand: plainBrand,
  currencies,
}
const required = '"tx_ref":"a","email":"ada@example.com","first_name":"Ada","last_name":"Lovelace"'

/** Minor units, or the rule that failed, of a body with these members. */
function amountOf(members: string, currency = 'GBP'): bigint | string {
  const text = `{${required},"currency":"${currency}",${members}}`
  try {
    return readPayment(JSON.parse(text), { merchant, mode: 'test', bounds: undefined }, text).amountMinor
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

test('a number is an amount exactly as it was written', () => {
  const plain = 'amount must be a plain decimal number such as 1000.50'
  const decimals = 'amount must have at most 2 decimals for GBP'
  const rows: [string, bigint | string][] = [
    ['10.5', 1050n],
    ['1234.50', 123_450n],
    ['1000', 100_000n],
    ['0.29', 29n],
    ['999999999.99', 99_999_999_999n],
    ['19.99999999999999999', decimals],
    ['999999999.98999999999', decimals],
    ['1000.000', 100_000n],
    ['1000.001', decimals],
    ['0.00000000000000000000000000001', decimals],
    ['1e3', plain],
    ['1E+2', plain],
    ['1e-2', plain],
    ['1.5e2', plain],
    ['1e400', plain],
    ['-1', plain],
    ['-0', plain],
    ['0', 'amount must be more than zero'],
    ['9007199254740993', 'amount must be at most 999,999,999.99'],
  ]
  for (const [written, expected] of rows) {
    assert.equal(amountOf(`"amount":${written}`), expected, written)
    assert.equal(amountOf(`"amount" :\n ${written} `), expected, written)
    assert.equal(amountOf(`"amount":"${written}"`), expected, `"${written}"`)
  }
})

test('any number is judged like the same text in quotes', () => {
  const digits = fc.stringMatching(/^[0-9]{1,20}$/)
  const number = fc
    .tuple(
      fc.constantFrom('', '', '-'),
      digits,
      fc.option(digits),
      fc.constantFrom('', '', 'e1', 'E+2', 'e-3'),
    )
    .map(([sign, whole, fraction, exponent]) => {
      const written = whole.replace(/^0+(?=[0-9])/, '')
      return `${sign}${written}${fraction === null ? '' : `.${fraction}`}${exponent}`
    })
  fc.assert(
    fc.property(number, fc.constantFrom(...currencies.keys()), (written, currency) => {
      const asText = amountOf(`"amount":"${written}"`, currency)
      assert.equal(amountOf(`"amount":${written}`, currency), asText)
    }),
    { numRuns: 1000 },
  )
})

test('of several amounts the one counts that JSON.parse took', () => {
  const rows: [string, bigint][] = [
    ['"amount":1e3,"amount":5.50', 550n],
    ['"amount":"1e3","\\u0061mount":5.50', 550n],
    ['"amount":5.50,"meta":{"amount":1e3}', 550n],
    ['"meta":{"amount":1e3,"text":"\\"amount\\":7"},"amount":5.50,"x":[{"amount":9}]', 550n],
    ['"amount":1e3,"amount":"5.50"', 550n],
  ]
  for (const [members, minor] of rows) assert.equal(amountOf(members), minor, members)
  assert.equal(
    amountOf('"amount":5.50,"amount":1e3,"meta":{"amount":6}'),
    'amount must be a plain decimal number such as 1000.50',
  )
})
