import type { Totals } from '../slots/totals.ts'
import { noFigures, talliesOf, untalliesOf } from './tally.ts'
import { insertTally, insertUntally } from './total-store.ts'

/** One more row in most commits, and no row that two of them would lock. */
export const dailyTotals: Totals = {
  ofMoves: (merchantId, moves) => [
    ...talliesOf(moves).map((tally) => insertTally(merchantId, tally)),
    ...untalliesOf(moves).map((untally) => insertUntally(merchantId, untally)),
  ],
  ofRefund({ merchant_id, mode, currency }, { refunds, refundedMinor, returnedMinor, at }) {
    const figures = { ...noFigures, refunds, refundedMinor, feeMinor: -returnedMinor }
    return [insertTally(merchant_id, { mode, currency, ...figures }, at)]
  },
}
