import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumbers,
  paymentRow,
  refundRow,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { listRefunds } from './list-refunds.ts'
import { findWentBackAt, listHistory } from './store.ts'
import { sumRefunds } from './totals/total-store.ts'

// Two merchants whose refunds have the same names, and moved on other days.

let two: TwoMerchants
const [first, second] = paymentNumbers(1, 2)
const idOf = (name: string): string => `rfd_${name.padStart(16, '0')}`

before(async () => {
  two = await openTwoMerchants()
  for (const merchant_id of [two.own, two.other]) {
    const of = (number: string) => ({ merchant_id, number })
    await insertRows(two.db, 'payments', [paymentRow(of(first)), paymentRow(of(second))])
    await insertRows(two.db, 'refunds', [
      refundRow({ ...of(first), name: 'a', state: 'succeeded' }),
      refundRow({ ...of(first), name: 'b', place: 2, state: 'submitted' }),
      refundRow({ ...of(second), name: 'e', state: 'succeeded', amount_minor: 50n }),
    ])
  }
})
after(() => two.close())

test('a refund’s history and completion time are read for its own merchant', async () => {
  const moves = [
    ['requested', 'submitted'],
    ['submitted', 'succeeded'],
    ['succeeded', 'failed'],
  ] as const
  for (const [own, day] of [
    [two.own, 10],
    [two.other, 20],
  ] as const) {
    for (const name of ['a', 'e'])
      await insertRows(
        two.db,
        'refund_history',
        moves.map(([from_state, to_state], index) => ({
          merchant_id: own,
          refund_id: idOf(name),
          place: index + 1,
          at: new Date(`2026-11-${day + index}T23:59:59Z`),
          event: 'asked',
          from_state,
          to_state,
        })),
      )
  }
  for (const [own, wentOn] of [
    [two.own, '2026-11-11'],
    [two.other, '2026-11-21'],
  ] as const) {
    const key = { merchantId: own, id: idOf('a') }
    const history = await listHistory(two.db, key)
    assert.deepEqual(
      history.map(({ to_state }) => to_state),
      ['submitted', 'succeeded', 'failed'],
    )
    const wentAt = await inTransaction(two.db, async (tx) => findWentBackAt(tx, key))
    assert.equal(wentAt.slice(0, 10), wentOn)
    const totals = await sumRefunds(two.db, own)
    assert.deepEqual(
      totals.map(({ day, refunds, refunded_minor }) => [day, Number(refunds), refunded_minor]),
      [[wentOn, 2, 150n]],
    )
  }
})

test('a list is split into pages, and a reference that is too long is refused', async () => {
  const caller = { merchantId: two.own, mode: 'test' } as const
  const page = await listRefunds(two.db, caller, { limit: '2' })
  assert.deepEqual([page.refunds.length, page.nextCursor === null], [2, false])
  const all = await listRefunds(two.db, caller, { limit: '3' })
  assert.deepEqual([all.refunds.length, all.nextCursor], [3, null])
  assert.equal((await listRefunds(two.db, caller, { tx_ref: 'x'.repeat(255) })).refunds.length, 0)
  await assert.rejects(listRefunds(two.db, caller, { tx_ref: 'x'.repeat(256) }), {
    code: 'validation_failed',
  })
})
