import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Merchant } from '../../core/merchants/authenticate.ts'
import { readFees } from './read-fees.ts'

function read(fields: Record<string, string>, currencies: readonly string[] = ['GBP']) {
  const merchant = { currencies: new Map(currencies.map((code) => [code, 0n])) } as unknown as Merchant
  return readFees(new Map(Object.entries(fields)), merchant)
}

for (const [share, basisPoints] of [
  ['0', 0],
  ['1', 100],
  ['1.4', 140],
  ['1,4', 140],
  ['1.04', 104],
  [' 2,95 ', 295],
  ['100', 10_000],
] as const) {
  test(`a share of ${share} percent is ${basisPoints} basis points`, () => {
    assert.equal(read({ share, fixed_GBP: '0' }).basisPoints, basisPoints)
  })
}

for (const share of [undefined, '', 'x', '1.234', '1,234', '-1', '1000'])
  test(`a share of ${share} is refused`, () => {
    assert.throws(
      () => read({ ...(share !== undefined && { share }), fixed_GBP: '0' }),
      (error) => error instanceof Refusal && Object.hasOwn(error.errors ?? {}, 'share'),
    )
  })

test('the fixed part is read in its currency’s decimals, with a comma or a point', () => {
  const fields = { share: '1', fixed_GBP: '0,20', fixed_JPY: '30', fixed_KWD: '0.125' }
  assert.deepEqual(
    read(fields, ['GBP', 'JPY', 'KWD']).fixed,
    new Map([
      ['GBP', 20n],
      ['JPY', 30n],
      ['KWD', 125n],
    ]),
  )
})

for (const text of ['0', '00', '0.00', '0,00', ' 0 '])
  test(`a fixed part of "${text}" is zero`, () => {
    assert.deepEqual(read({ share: '1', fixed_GBP: text }).fixed, new Map([['GBP', 0n]]))
  })

for (const text of [undefined, '', '-1', '0.001', '1,000', 'free'])
  test(`a fixed part of ${text} is refused beside its field`, () => {
    assert.throws(
      () => read({ share: '1', ...(text !== undefined && { fixed_GBP: text }) }),
      (error) => error instanceof Refusal && Object.hasOwn(error.errors ?? {}, 'fixed_GBP'),
    )
  })
