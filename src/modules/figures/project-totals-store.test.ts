import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
  type Values,
} from '../../../test/support/rows.ts'
import { sumNewestOfProject, type TotalsRow } from './project-totals-store.ts'

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 16, 12, 0, second))
const asked = { project_id: 'prj_asked', state: 'success', created_at: at(5) }

// From the newest to the oldest; two of one moment, of which the greater number is the newer. Amounts tell them apart, and
// they are written backwards.
const inOrder: readonly Values[] = [
  { ...asked, created_at: at(9), amount_minor: 1 },
  { ...asked, created_at: at(8), amount_minor: 2, state: 'refunded', refunded_minor: 2 },
  { ...asked, created_at: at(7), amount_minor: 4, state: 'reversed' },
  { ...asked, created_at: at(6), amount_minor: 8, currency: 'EUR' },
  { ...asked, amount_minor: 16, number: paymentNumber(99), refunded_minor: 3 },
  { ...asked, amount_minor: 32, number: paymentNumber(50), currency: 'USD' },
  { ...asked, created_at: at(4), amount_minor: 64, state: 'pending' },
]
const others: readonly Values[] = [
  { ...asked, amount_minor: 128, project_id: 'prj_other' },
  { ...asked, amount_minor: 256, project_id: null },
  { ...asked, amount_minor: 512, mode: 'live' },
]

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
  const { db, own, other } = merchants
  const rows = [...inOrder, ...others].map((row, index) => ({ number: paymentNumber(index + 1), ...row }))
  const another = { ...asked, merchant_id: other, number: paymentNumber(60), amount_minor: 1_024 }
  await insertRows(db, 'payments', [
    ...[own, other].flatMap((merchant_id) =>
      rows.toReversed().map((row) => paymentRow({ ...row, merchant_id })),
    ),
    paymentRow(another),
  ])
})
after(() => merchants.close())

async function sums(merchantId: number, max: number, mode: 'test' | 'live' = 'test'): Promise<unknown[]> {
  const scope = { merchantId, mode, projectId: 'prj_asked' }
  return (await sumNewestOfProject(merchants.db, scope, max)).map(
    (row: TotalsRow) =>
      `${row.currency} ${row.payments} ${row.paid} ${row.paid_minor} ${row.refunded_minor} ${row.disputed_minor}`,
  )
}

test('a project counts its merchant’s payments in a mode, and sums the paid ones by currency', async () => {
  const { own, other } = merchants
  const wanted = ['EUR 1 1 8 0 0', 'GBP 5 4 23 5 4', 'USD 1 1 32 0 0']
  assert.deepEqual(await sums(own, 100), wanted)
  assert.deepEqual(await sums(other, 100), wanted.with(1, 'GBP 6 5 1047 5 4'))
  assert.deepEqual(await sums(own, 100, 'live'), ['GBP 1 1 512 0 0'])
})

test('only the newest payments are summed when there are too many, and one more is counted', async () => {
  const { own } = merchants
  assert.deepEqual(await sums(own, 1), ['GBP 2 1 1 0 0'])
  assert.deepEqual(await sums(own, 2), ['GBP 3 2 3 2 0'])
  assert.deepEqual(await sums(own, 4), ['EUR 1 1 8 0 0', 'GBP 4 3 7 2 4'])
  assert.deepEqual(await sums(own, 5), ['EUR 1 1 8 0 0', 'GBP 4 4 23 5 4', 'USD 1 0 0 0 0'])
  assert.deepEqual(await sums(own, 6), ['EUR 1 1 8 0 0', 'GBP 5 4 23 5 4', 'USD 1 1 32 0 0'])
})
