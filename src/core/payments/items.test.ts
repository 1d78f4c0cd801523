import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsOf, taxLines, writeItems, type Item } from './items.ts'

const item = (unitMinor: bigint, quantity = 1, taxRate?: string): Item => ({
  name: 'A thing',
  quantity,
  unitMinor,
  taxRate,
  taxName: undefined,
})

test('tax is included in the price, calculated once per rate and rounded half up', () => {
  assert.deepEqual(taxLines([item(1200n, 1, '20')]), [{ name: undefined, rate: '20', taxMinor: 200n }])
  // 3 × 0.33 line by line would be 3 × 0.06; together it is 0.99 × 20 / 120 = 0.165.
  assert.deepEqual(taxLines([item(33n, 3, '20')]), [{ name: undefined, rate: '20', taxMinor: 17n }])
  assert.deepEqual(taxLines([item(1055n, 1, '5.5')]), [{ name: undefined, rate: '5.5', taxMinor: 55n }])
  assert.deepEqual(taxLines([item(500n, 1, '0'), item(0n, 1, '20')]), [], 'no line where no tax is due')
})

test('rates are sorted high to low, discounts count, and lines without a rate have no tax', () => {
  const lines = taxLines([item(1050n, 1, '5'), item(2400n, 1, '20'), item(-1200n, 1, '20'), item(10n)])
  assert.deepEqual(lines, [
    { name: undefined, rate: '20', taxMinor: 200n },
    { name: undefined, rate: '5', taxMinor: 50n },
  ])
  assert.deepEqual(taxLines([item(-1200n, 1, '20')]), [{ name: undefined, rate: '20', taxMinor: -200n }])
})

test('taxes with one rate and two names are two lines', () => {
  const named = { ...item(1200n, 1, '20'), taxName: 'IVA' }
  assert.deepEqual(taxLines([named, item(600n, 1, '20'), named]), [
    { name: 'IVA', rate: '20', taxMinor: 400n },
    { name: undefined, rate: '20', taxMinor: 100n },
  ])
})

test('items are read back as they were stored', () => {
  const items = [item(99_999_999_999n, 1_000_000, '12.25'), { ...item(-5n), taxName: 'VAT' }, item(0n, 2)]
  assert.deepEqual(itemsOf({ items: writeItems(items) }), items)
  assert.deepEqual(itemsOf({ items: null }), [])
})
