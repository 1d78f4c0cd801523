import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumbers,
  paymentRow,
  refundRow,
  storedRows,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { deleteRefundsOf, findUnderWay } from './data-store.ts'

const now = new Date('2026-11-16T12:00:00.000Z')
const [first, second, third] = paymentNumbers(1, 2, 3)
const idOf = (name: string): string => `rfd_${name.padStart(16, '0')}`

// The names of the first payment's refund and of the second's are the other way round at the other merchant, and so is which one the
// network is asked about.
let two: TwoMerchants
before(async () => {
  two = await openTwoMerchants()
  for (const [merchant_id, names, asked] of [
    [two.own, ['a', 'b', 'c'], [first, third]],
    [two.other, ['b', 'a', 'c'], [second]],
  ] as const) {
    const numbers = [first, second, third].map((number, at) => ({ number, name: names[at] ?? '' }))
    const rows = async (table: string, of: (row: (typeof numbers)[number]) => object): Promise<void> =>
      insertRows(
        two.db,
        table,
        numbers.map((row) => ({ merchant_id, ...of(row) })),
      )
    await rows('payments', ({ number }) => paymentRow({ merchant_id, number }))
    await rows('refunds', ({ number, name }) => ({
      ...refundRow({ merchant_id, number, name, state: 'submitted', sent_at: now }),
      next_check_at: asked.some((one) => one === number) ? now : null,
    }))
    const moved = { place: 1, event: 'asked', from_state: 'requested', to_state: 'submitted' }
    await rows('refund_history', ({ name }) => ({ ...moved, refund_id: idOf(name) }))
    await rows('refund_totals', ({ number }) => ({ number, amount_minor: 1_000n, reserved_minor: 100n }))
  }
})
after(() => two.close())

const asTests = (numbers: readonly string[]) => ({ merchantId: two.own, numbers, txRefs: [] })

test('payments with a refund still being checked count as in progress, for the named ones of one merchant', async () => {
  const found = await inTransaction(two.db, async (tx) => findUnderWay(tx, asTests([first, second])))
  assert.deepEqual(found, [first])
})

test('refunds of one merchant’s named payments are deleted, with history and totals', async () => {
  const tables = ['refunds', 'refund_history', 'refund_totals']
  const stored = async (merchantId: number): Promise<string[]> =>
    (await Promise.all(tables.map(async (table) => storedRows(two.db, table, merchantId)))).flat()
  const [rows, others] = [await stored(two.own), await stored(two.other)]
  await inTransaction(two.db, async (tx) => deleteRefundsOf(tx, asTests([first])))
  const isOfFirst = (row: string): boolean => row.includes(first) || row.includes(idOf('a'))
  assert.deepEqual(
    await stored(two.own),
    rows.filter((row) => !isOfFirst(row)),
  )
  assert.equal((await stored(two.own)).length, rows.length - tables.length)
  assert.deepEqual(await stored(two.other), others)
})
