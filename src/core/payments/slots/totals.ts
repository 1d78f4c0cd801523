import type { Sql } from '../../../platform/database/sql.ts'
import type { PaymentEvent } from '../state-machine.ts'
import type { LockedPayment } from '../store.ts'

/** What a module counts of payments and refunds: statements of the commits in which they move. */
export type Totals = {
  /** Each payment is as it was before its event, which can happen to it. */
  ofMoves(merchantId: number, moves: readonly CountedMove[]): readonly Sql[]
  ofRefund(payment: LockedPayment, refund: CountedRefund): readonly Sql[]
}

export type CountedMove = { readonly payment: LockedPayment; readonly event: PaymentEvent }

/** One that came back takes away from the time at which it had gone: all figures are negative then. */
export type CountedRefund = {
  readonly refunds: 1n | -1n
  readonly refundedMinor: bigint
  /** Of our fee. */
  readonly returnedMinor: bigint
  /** When it happened, if not now. */
  readonly at?: string
}
