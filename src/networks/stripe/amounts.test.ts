import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyCodes, decimalsOf } from '../../platform/money/currencies.ts'
import { fromStripe, stripeCurrencies, stripeLimits, toStripe } from './amounts.ts'

test('amounts use the units that Stripe documents', () => {
  const documented: [bigint, string, bigint | undefined][] = [
    [1_099n, 'USD', 1_099n],
    [500n, 'JPY', 500n],
    [5n, 'ISK', 500n],
    [5n, 'UGX', 500n],
    [1_045n, 'HUF', 1_045n],
    [80_045n, 'TWD', 80_045n],
    [5_120n, 'KWD', 5_120n],
    [5_124n, 'KWD', undefined],
    [1_000n, 'MGA', 10n],
    [1_050n, 'MGA', undefined],
    [100n, 'IQD', undefined],
    [100n, 'CLF', undefined],
  ]
  for (const [minor, currency, amount] of documented) {
    assert.equal(toStripe(minor, currency), amount, `${minor} ${currency}`)
  }
})

test('each of Stripe’s currencies is one of ours, once', () => {
  for (const currency of stripeCurrencies) assert.ok(currencyCodes.includes(currency), currency)
  assert.equal(new Set(stripeCurrencies).size, stripeCurrencies.length)
  assert.equal(stripeCurrencies.length, 137)
})

for (const currency of stripeCurrencies) {
  test(`${currency}: an amount Stripe can express survives the round trip, and any other falls between two steps`, () => {
    const { least, most, step = 1n } = stripeLimits(currency)
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999n }), (minor) => {
        const amount = toStripe(minor, currency)
        assert.equal(amount !== undefined, minor % step === 0n)
        if (amount === undefined) return
        assert.deepEqual(fromStripe(Number(amount), currency.toLowerCase()), { amountMinor: minor, currency })
      }),
    )
    assert.ok(least >= step && most > least, `${least} to ${most}`)
    assert.notEqual(toStripe(least, currency), undefined)
    assert.notEqual(toStripe(most, currency), undefined)
    assert.ok((toStripe(most, currency) ?? 0n) <= 999_999_999_999n)
  })
}

test('the smallest amounts match Stripe’s list', () => {
  const told: [string, bigint][] = [
    ['GBP', 30n],
    ['EUR', 50n],
    ['CZK', 1_500n],
    ['HUF', 17_500n],
    ['JPY', 50n],
    ['THB', 1_000n],
    ['ISK', 1n],
    ['KWD', 10n],
    ['MGA', 100n],
  ]
  for (const [currency, least] of told) assert.equal(stripeLimits(currency).least, least, currency)
})

test('a currency that Stripe doesn’t accept has no valid amount', () => {
  for (const currency of currencyCodes.filter((code) => !stripeCurrencies.includes(code))) {
    const { least, most } = stripeLimits(currency)
    assert.ok(most < least, currency)
    assert.equal(toStripe(100n, currency), undefined)
  }
})

test('an amount from Stripe that would need rounding is refused', () => {
  assert.throws(() => fromStripe(501, 'isk'), RangeError)
  assert.throws(() => fromStripe(0.1, 'usd'), RangeError)
  assert.throws(() => fromStripe(2 ** 53, 'usd'), RangeError)
  assert.throws(() => fromStripe(100, 'xxx'), RangeError)
  assert.equal(decimalsOf('ISK'), 0)
})
