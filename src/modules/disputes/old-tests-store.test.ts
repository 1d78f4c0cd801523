import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  disputeRow,
  insertRows,
  openTwoMerchants,
  paymentNumbers,
  paymentRow,
  storedRows,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { deleteDisputesOf, findUndecided } from './old-tests-store.ts'

const now = new Date('2026-11-16T12:00:00.000Z')
const [first, second, third] = paymentNumbers(1, 2, 3)

// The names of the first payment's dispute and of the second's are the other way round at the other merchant, and so is which one the
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
    await rows('payments', ({ number }) => paymentRow({ merchant_id, number, state: 'success' }))
    await rows('disputes', ({ number, name }) => ({
      ...disputeRow({ merchant_id, number, name }),
      next_check_at: asked.some((one) => one === number) ? now : null,
    }))
    const opened = { place: 1, at: now, state: 'evidence_due', reason: 'fraudulent', money_taken: true }
    await rows('dispute_history', ({ name }) => ({ ...opened, dispute_id: `dsp_${name}` }))
    const reply = { kind: 'evidence', state: 'requested', parts: [], actor: 'per_1', requested_at: now }
    await rows('dispute_replies', ({ name }) => ({ ...reply, id: `rpl_${name}`, dispute_id: `dsp_${name}` }))
  }
})
after(() => two.close())

const asTests = (numbers: readonly string[]) => ({ merchantId: two.own, numbers, txRefs: [] })

test('payments with a dispute still being checked are undecided, for the named payments of one merchant', async () => {
  const found = await inTransaction(two.db, async (tx) => findUndecided(tx, asTests([first, second])))
  assert.deepEqual(found, [first])
})

test('disputes of one merchant’s named payments are deleted with their history and answers', async () => {
  const stored = async (merchantId: number): Promise<string[]> => [
    ...(await storedRows(two.db, 'disputes', merchantId)),
    ...(await storedRows(two.db, 'dispute_history', merchantId)),
    ...(await storedRows(two.db, 'dispute_replies', merchantId)),
  ]
  const [rows, others] = [await stored(two.own), await stored(two.other)]
  await inTransaction(two.db, async (tx) => deleteDisputesOf(tx, asTests([first])))
  const isOfFirst = (row: string): boolean => row.includes(first) || row.includes('"dsp_a"')
  assert.deepEqual(
    await stored(two.own),
    rows.filter((row) => !isOfFirst(row)),
  )
  assert.equal((await stored(two.own)).length, rows.length - 3)
  assert.deepEqual(await stored(two.other), others)
})
