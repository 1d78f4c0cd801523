import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromPayPal, payPalCurrencies, payPalLimits, toPayPal } from './amounts.ts'

test('every amount within the limits of every currency is written as PayPal reads it, and read back the same', () => {
  for (const currency of payPalCurrencies) {
    const { least, most, step = 1n } = payPalLimits(currency)
    assert.ok(least > 0n && least <= most)
    fc.assert(
      fc.property(fc.bigInt(least / step, most / step), (steps) => {
        const value = toPayPal(steps * step, currency)
        const isWhole = ['HUF', 'JPY', 'TWD'].includes(currency)
        assert.match(value ?? '', isWhole ? /^[1-9]\d{0,6}$/ : /^\d{1,7}\.\d\d$/)
        assert.deepEqual(fromPayPal({ value, currency_code: currency }), {
          amountMinor: steps * step,
          currency,
        })
      }),
      { numRuns: 20 },
    )
  }
})

test('an amount that PayPal has no decimals for is refused before it is sent', () => {
  assert.equal(toPayPal(100n, 'HUF'), '1')
  assert.equal(toPayPal(150n, 'HUF'), undefined)
  assert.equal(toPayPal(150n, 'TWD'), undefined)
  assert.equal(toPayPal(5n, 'GBP'), '0.05')
  assert.equal(toPayPal(-5n, 'GBP'), undefined)
  assert.equal(toPayPal(100n, 'KES'), undefined)
  assert.deepEqual(payPalLimits('KES'), { least: 1n, most: 0n })
  assert.equal(payPalLimits('USD').most, 6_000_000n)
})

test('what PayPal writes is never rounded', () => {
  for (const [value, minor] of [
    ['10', 1_000n],
    ['10.5', 1_050n],
    ['.07', 7n],
    ['-0.88', -88n],
    ['10.5000', 1_050n],
  ] as const)
    assert.deepEqual(fromPayPal({ value, currency_code: 'EUR' }), { amountMinor: minor, currency: 'EUR' })
  for (const value of ['10.005', '', '1e3', '1,000.00', 10, undefined])
    assert.throws(() => fromPayPal({ value, currency_code: 'EUR' }), RangeError, String(value))
  for (const amount of [undefined, {}, { value: '1.00' }, { value: '1.00', currency_code: 'XYZ' }])
    assert.throws(() => fromPayPal(amount), RangeError)
})
