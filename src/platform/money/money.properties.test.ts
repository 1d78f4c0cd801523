import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { currencyCodes, decimalsOf } from './currencies.ts'
import { displayAmount, feeOf, formatAmount, parseAmount, plainAmount } from './money.ts'

const currency = fc.constantFrom(...currencyCodes)

function maxMinor(code: string): bigint {
  return (99_999_999_999n * 10n ** BigInt(decimalsOf(code) ?? 0)) / 100n
}

const payable = currency.chain((code) =>
  fc.record({ code: fc.constant(code), minor: fc.bigInt({ min: 1n, max: maxMinor(code) }) }),
)

function forEveryCurrency(check: (code: string, minor: bigint) => void): void {
  for (const code of currencyCodes) {
    for (const minor of [1n, 9n, 10n, 99n, 100n, 101n, 1000n, 123_456n, 99_999_999n, maxMinor(code)]) {
      check(code, minor)
    }
  }
  fc.assert(fc.property(payable, ({ code, minor }) => check(code, minor)))
}

test('in every currency a plain amount is read back as itself', () => {
  forEveryCurrency((code, minor) => {
    assert.deepEqual(parseAmount(plainAmount(minor, code), code), { ok: true, minor })
  })
})

test('in every currency a formatted amount without its separators is read back as itself', () => {
  forEveryCurrency((code, minor) => {
    const formatted = formatAmount(minor, code)
    assert.match(formatted, /^\d{1,3}(,\d{3})*\.\d{2,4}$/)
    const stripped = formatted.replaceAll(',', '')
    const text = decimalsOf(code) === 0 ? stripped.replace(/\.00$/, '') : stripped
    assert.deepEqual(parseAmount(text, code), { ok: true, minor })
  })
})

test('in every currency one minor unit above the limit is refused', () => {
  for (const code of currencyCodes) {
    const rule = 'amount must be at most 999,999,999.99'
    assert.deepEqual(parseAmount(plainAmount(maxMinor(code) + 1n, code), code), { ok: false, rule })
  }
})

test('no text is accepted with a digit lost or added', () => {
  const character = fc.constantFrom(...'00123456789..,+-eE_ x１'.split(''))
  const digits = fc
    .array(fc.constantFrom(...'0123456789'.split('')), { maxLength: 11 })
    .map((all) => all.join(''))
  const text = fc.oneof(
    fc.array(character, { maxLength: 12 }).map((all) => all.join('')),
    fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction.slice(0, 5)}`),
    fc.string({ unit: 'binary-ascii' }),
  )
  fc.assert(
    fc.property(text, currency, (written, code) => {
      const parsed = parseAmount(written, code)
      if (!parsed.ok) return assert.match(parsed.rule, /^amount must /)
      const [whole, fraction = ''] = written.split('.')
      const decimals = decimalsOf(code) ?? 0
      assert.match(fraction.slice(decimals), /^0*$/)
      const padded = fraction.slice(0, decimals).padEnd(decimals, '0')
      assert.equal(plainAmount(parsed.minor, code), padded === '' ? whole : `${whole}.${padded}`)
    }),
    { numRuns: 2000 },
  )
})

test('in every currency all digits are shown', () => {
  forEveryCurrency((code, minor) => {
    assert.equal(
      displayAmount(minor, code, 'en-GB').replace(/\D/g, ''),
      plainAmount(minor, code).replace('.', ''),
    )
  })
})

// By hand, as on paper: write the product down, cut four digits, look at the first digit cut.
function feeOnPaper(minor: bigint, basisPoints: number, fixedMinor: bigint): bigint {
  const product = String(minor * BigInt(basisPoints)).padStart(5, '0')
  const roundUp = Number(product.at(-4)) >= 5
  return BigInt(product.slice(0, -4)) + (roundUp ? 1n : 0n) + fixedMinor
}

test('every fee matches a fee calculated by hand', () => {
  const halves = fc.record({
    minor: fc.bigInt({ min: 0n, max: 10n ** 9n }).map((n) => n * 50n),
    basisPoints: fc.constantFrom(1, 25, 50, 100, 140, 300),
  })
  const anything = fc.record({
    minor: fc.bigInt({ min: 0n, max: 10n ** 13n }),
    basisPoints: fc.integer({ min: 0, max: 20_000 }),
  })
  fc.assert(
    fc.property(
      fc.oneof(halves, anything),
      fc.bigInt({ min: 0n, max: 500n }),
      ({ minor, basisPoints }, fixedMinor) => {
        const fee = feeOf(minor, { basisPoints, fixedMinor })
        assert.equal(fee, feeOnPaper(minor, basisPoints, fixedMinor))
        assert.ok(fee >= fixedMinor)
      },
    ),
    { numRuns: 2000 },
  )
})
