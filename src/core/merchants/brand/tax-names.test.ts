import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countryCodes, countryName } from './countries.ts'
import { languageCodes } from './languages.ts'
import { taxNameOf } from './tax-names.ts'

for (const [country, currency, name] of [
  ['GB', 'GBP', 'VAT'],
  ['DE', 'USD', 'VAT'],
  ['AU', 'AUD', 'GST'],
  ['CA', 'CAD', 'GST'],
  ['US', 'USD', 'sales tax'],
  ['JP', 'JPY', 'consumption tax'],
  ['BR', 'BRL', 'tax'],
] as const)
  test(`the tax of a shop in ${country} is called ${name}`, () =>
    assert.equal(taxNameOf(country, currency, 'en'), name))

for (const [currency, name] of [
  ['GBP', 'VAT'],
  ['EUR', 'VAT'],
  ['INR', 'GST'],
  ['USD', 'sales tax'],
  ['XOF', 'tax'],
] as const)
  test(`without a country, the tax on ${currency} is called ${name}`, () =>
    assert.equal(taxNameOf(undefined, currency, 'en'), name))

test('the tax is named in the receipt’s language', () => {
  const inAll = languageCodes.map((language) => taxNameOf('GB', 'GBP', language))
  assert.deepEqual(inAll, ['VAT', 'TAW', 'TVA', 'MwSt.', 'IVA', 'VAT', 'ضريبة القيمة المضافة'])
})

test('only countries that exist today are accepted', () => {
  for (const code of ['GB', 'DE', 'US', 'XK']) assert.ok(countryCodes.includes(code), code)
  for (const code of ['EU', 'UN', 'DD', 'SU', 'ZZ', 'AA']) assert.ok(!countryCodes.includes(code), code)
  assert.equal(countryName('DE'), 'Germany')
})
