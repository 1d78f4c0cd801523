import { formatAmount } from '../../platform/money/money.ts'
import { refundStatus } from './state-machine.ts'
import type { RefundHistoryRow, RefundRow } from './store.ts'

// The public face of a refund: the same JSON in its look-up, in lists and in notifications.

export function presentRefund(refund: RefundRow, history?: readonly RefundHistoryRow[]) {
  const { currency } = refund
  return {
    refund_ref: refund.refund_ref,
    tx_ref: refund.tx_ref,
    reference: refund.reference,
    mode: refund.mode,
    status: refundStatus[refund.state],
    currency,
    amount: formatAmount(refund.amount_minor, currency),
    // The largest amount has 13 digits, so a double holds it.
    amount_minor: Number(refund.amount_minor),
    fee_returned: formatAmount(refund.fee_returned_minor, currency),
    fee_returned_minor: Number(refund.fee_returned_minor),
    reason: refund.reason ?? '',
    ...(refund.state === 'failed' && { failure: refund.failure ?? '' }),
    created_at: refund.created_at,
    updated_at: refund.updated_at,
    ...(history && {
      history: [
        { at: refund.created_at, status: 'requested' },
        ...history.map(({ at, to_state }) => ({ at, status: refundStatus[to_state] })),
      ],
    }),
  }
}

export function refundJson(refund: RefundRow): string {
  return JSON.stringify(presentRefund(refund))
}
