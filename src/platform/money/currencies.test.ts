import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencyCodes, currencyName, decimalsOf, isCurrency } from './currencies.ts'

test('the table follows today’s ISO 4217, not Intl', () => {
  const expected = { GBP: 2, EUR: 2, HUF: 2, JPY: 0, ISK: 0, UGX: 0, MGA: 2, KWD: 3, IQD: 3, CLF: 4, UYW: 4 }
  for (const [code, decimals] of Object.entries(expected)) assert.equal(decimalsOf(code), decimals, code)
  for (const code of ['XCG', 'ZWG', 'SLE', 'VED', 'VES', 'XAF', 'XOF', 'XPF', 'XCD'])
    assert.ok(isCurrency(code), code)
  const gone = ['BGN', 'HRK', 'ANG', 'ZWL', 'SLL', 'CUC', 'XXX', 'XTS', 'XAU', 'XDR', 'USN', 'CHE']
  const nonsense = ['gbp', '', 'GB', 'constructor', '__proto__', 'GBP ']
  for (const code of [...gone, ...nonsense]) {
    assert.equal(isCurrency(code), false, code)
    assert.equal(decimalsOf(code), undefined, code)
  }
})

test('the table is sorted, without duplicates, and names every currency', () => {
  assert.deepEqual(currencyCodes, [...new Set(currencyCodes)].toSorted())
  assert.equal(currencyCodes.length, 157)
  for (const code of currencyCodes) {
    assert.match(code, /^[A-Z]{3}$/)
    assert.match(currencyName(code) ?? '', /^\p{Lu}[\p{L} ]+$/u)
  }
})
