import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
} from '../../../test/support/rows.ts'
import { insertHistory, listHistory } from './history-store.ts'

// Whose history it is, and of which payment, is told beside the table payments (store.test.ts).

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
after(() => merchants.close())

test('a history is read in chronological order, and continues after its last row', async () => {
  const { db, own } = merchants
  const payment = { merchant_id: own, number: paymentNumber(1) }
  await insertRows(db, 'payments', [paymentRow(payment)])
  const moves = [
    [3, 'cancelled_by_merchant', 'cancelled'],
    [1, 'ran_out_of_time', 'expired'],
    [2, 'paid', 'success'],
  ] as const
  await insertRows(
    db,
    'payment_history',
    moves.map(([id, event, to_state]) => ({ ...payment, id, event, from_state: 'pending', to_state })),
  )
  const last = { ...payment, event: 'refunded_in_full', from_state: 'success', to_state: 'refunded' }
  await db.query(insertHistory(own, [last]))
  const events = (await listHistory(db, { merchantId: own, number: payment.number })).map(
    ({ event }) => event,
  )
  assert.deepEqual(events, ['ran_out_of_time', 'paid', 'cancelled_by_merchant', 'refunded_in_full'])
})
