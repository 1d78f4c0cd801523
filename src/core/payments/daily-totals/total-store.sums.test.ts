import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  insertRows,
  openTwoMerchants,
  paymentNumber,
  paymentRow,
  type TwoMerchants,
  type Values,
} from '../../../../test/support/rows.ts'
import { sumPayments } from './total-store.ts'

let merchants: TwoMerchants
before(async () => {
  merchants = await openTwoMerchants()
})
after(() => merchants.close())

const [dayBefore, day, dayAfter] = ['2026-11-14', '2026-11-15', '2026-11-16'] as const

// What became of a payment, and when. What was not its last word is counted nowhere.
const stories: readonly (readonly [Values, ...string[]])[] = [
  [{ state: 'success' }, `paid success ${dayBefore}`],
  [{ state: 'success', mode: 'live' }, `paid success ${day}`],
  [{ state: 'success', currency: 'EUR' }, `paid success ${day}`, `paid success ${dayAfter}`],
  [{ state: 'reversed' }, `paid success ${dayBefore}`, `reversed_by_bank reversed ${day}`],
  [{ state: 'success' }, `cancelled_by_merchant cancelled ${dayBefore}`, `paid success ${day}`],
  [{ state: 'cancelled' }, `cancelled_by_merchant cancelled ${day}`, `told expired ${dayAfter}`],
  [{ state: 'expired' }, `ran_out_of_time expired ${day}`],
  [{ state: 'failed' }, `attempts_used_up failed ${dayAfter}`],
  [{ state: 'pending' }],
]

/** Later, an attempt of each has a history of the same words. */
async function insertStories(merchant_id: number, year: number): Promise<void> {
  const payments = stories.map(([row], index) =>
    paymentRow({
      ...row,
      merchant_id,
      number: paymentNumber(index + 10),
      amount_minor: 100 * (index + 1),
      charge_minor: index + 1,
    }),
  )
  await insertRows(merchants.db, 'payments', payments)
  const history = stories.flatMap(([, ...moves], index) =>
    moves.map((move, place) => {
      const [event, to_state, date = ''] = move.split(' ')
      const row = { merchant_id, number: paymentNumber(index + 10), event, from_state: 'pending', to_state }
      return { ...row, id: place, at: `${date.replace('2026', String(year))}T23:30:00Z` }
    }),
  )
  const ofAttempts = history.map((row) => ({ ...row, id: row.id + 9, attempt: 1, at: `${year}-12-01` }))
  await insertRows(merchants.db, 'payment_history', [...history, ...ofAttempts])
}

test('payments are summed by the day on which they were paid, or came into the state that they ended in', async () => {
  const { db, own, other } = merchants
  await insertStories(own, 2026)
  await insertStories(other, 2027)
  const sums = (await sumPayments(db, own)).map((row) => {
    const paid = `paid ${row.paid}: ${row.paid_minor}, fee ${row.fee_minor}`
    const reversed = `reversed ${row.reversed}: ${row.reversed_minor}`
    return `${row.mode} ${row.currency} ${row.day} ${paid}, unpaid ${row.unpaid}, ${reversed}`
  })
  assert.deepEqual(sums.toSorted(), [
    'live GBP 2026-11-15 paid 1: 200, fee 2, unpaid 0, reversed 0: 0',
    'test EUR 2026-11-16 paid 1: 300, fee 3, unpaid 0, reversed 0: 0',
    'test GBP 2026-11-14 paid 2: 500, fee 5, unpaid 0, reversed 0: 0',
    'test GBP 2026-11-15 paid 1: 500, fee 5, unpaid 2, reversed 1: 400',
    'test GBP 2026-11-16 paid 0: 0, fee 0, unpaid 1, reversed 0: 0',
  ])
})
