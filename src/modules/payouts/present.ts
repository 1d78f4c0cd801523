import { isCurrency } from '../../platform/money/currencies.ts'
import { formatAmount } from '../../platform/money/money.ts'
import type { Payout, PayoutLine } from './payout.ts'
import type { PayoutHistoryRow } from './payout-store.ts'

// Payouts and lines as the API and events show them.

export function presentPayout(payout: Payout) {
  const { currency } = payout
  return {
    id: payout.id,
    status: payout.state,
    mode: payout.mode,
    network: payout.connector,
    amount: presentAmount(payout.amount_minor, currency),
    amount_minor: Number(payout.amount_minor),
    currency,
    arrives_on: payout.arrives_on,
    bank_reference: payout.bank_reference,
    network_reference: payout.reference,
    failure: payout.failure,
    lines: payout.lines === 'copied' ? ('complete' as const) : presentLines(payout.lines),
    line_count: payout.line_count,
    gross_minor: Number(payout.gross_minor),
    fee_minor: Number(payout.fee_minor),
    tax_minor: Number(payout.tax_minor),
    difference_minor: Number(payout.difference_minor),
    created_at: payout.made_at,
    updated_at: payout.updated_at,
  }
}

function presentLines(lines: 'waiting' | 'untold'): 'pending' | 'unavailable' {
  return lines === 'waiting' ? 'pending' : 'unavailable'
}

export function presentHistory({ at, state, failure }: PayoutHistoryRow) {
  return { at, status: state, failure }
}

/** `txRefs` and `refundRefs`: by our names for payments and refunds. */
export function presentLine(
  line: PayoutLine,
  names: { readonly txRef: string | null; readonly refundRef: string | null },
) {
  const { currency } = line
  return {
    id: line.reference,
    kind: line.kind,
    type: line.type,
    tx_ref: names.txRef,
    refund_ref: names.refundRef,
    gross: presentAmount(line.gross_minor, currency),
    gross_minor: Number(line.gross_minor),
    fee_minor: Number(line.fee_minor),
    tax_minor: Number(line.tax_minor),
    net: presentAmount(line.net_minor, currency),
    net_minor: Number(line.net_minor),
    currency,
    original_minor: line.original_minor === null ? null : Number(line.original_minor),
    original_currency: line.original_currency,
    exchange_rate: line.exchange_rate,
    booked_at: line.booked_at,
  }
}

/** A network may name a currency that we do not know. */
export function presentAmount(minor: bigint, currency: string): string {
  return isCurrency(currency) ? formatAmount(minor, currency) : String(minor)
}
