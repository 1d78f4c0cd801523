import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  refundRow,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { exportRefunds } from './export-refunds.ts'

let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  const names = { merchant_id: two.own, number: paymentNumber(1) }
  await insertRows(two.db, 'payments', [paymentRow(names)])
  const rows = Array.from({ length: 1_001 }, (_, place) =>
    refundRow({ ...names, name: String(place), place: place + 1, mode: place < 500 ? 'live' : 'test' }),
  )
  await insertRows(two.db, 'refunds', rows)
})
after(() => two.close())

async function exported(mode: 'test' | 'live', merchantId = two.own): Promise<readonly unknown[]> {
  const { header, pages } = exportRefunds(two.db, { merchantId, mode }, {})
  const rows = (await Array.fromAsync(pages)).flat()
  assert.ok(rows.every((row) => row.length === header.length))
  return rows.map(([ref]) => ref)
}

test('every refund is exported once, newest first, across pages', async () => {
  const refs = (from: number, to: number): string[] =>
    Array.from({ length: from - to + 1 }, (_, place) => `ref-${from - place}`)
  assert.deepEqual(await exported('live'), refs(499, 0))
  assert.deepEqual(await exported('test'), refs(1_000, 500))
  assert.deepEqual(await exported('test', two.other), [])
})

test('an unknown filter is refused before a row is read', () => {
  const caller = { merchantId: two.own, mode: 'test' } as const
  assert.throws(() => exportRefunds(two.db, caller, { state: 'failed' }), { code: 'validation_failed' })
})
