import type { ReportedLine } from '../../../core/networks/payout-reports.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { markBooked } from '../../../core/payments/daily-totals/not-reported.ts'
import { findPaidNumbers } from '../../../core/payments/reconcile/read-charges.ts'
import { findRefundIds } from '../../refunds/reconcile/find-refund-ids.ts'
import { addEntries, type Entry } from '../ledger/ledger-store.ts'
import { writeLines, type NewLine } from '../line-store.ts'
import type { Feed } from './feed-store.ts'

// Lines and their entries in the ledger are one commit. Both are known by the network's name for the booking, so what is
// reported twice, by two payouts or in another order is booked once.

export const linesAtOnce = 500

/** `payoutId`: null while the network holds the money. */
export async function bookLines(
  tx: Transaction,
  feed: Feed,
  lines: readonly ReportedLine[],
  payoutId: string | null,
): Promise<void> {
  if (lines.length === 0) return
  const rows = await linkLines(tx, feed, once(lines), payoutId)
  await writeLines(tx, feed, rows)
  await addEntries(tx, feed, rows.map(entryOf))
  const paid = rows.flatMap(({ kind, number }) => (kind === 'payment' && number !== null ? [number] : []))
  await markBooked(tx, feed.merchant_id, paid)
}

/** One statement can't write the same row twice. */
function once(lines: readonly ReportedLine[]): ReportedLine[] {
  return [...new Map(lines.map((line) => [line.reference, line])).values()]
}

export function entryOf(line: NewLine): Entry {
  return {
    source: `line:${line.reference}`,
    currency: line.currency,
    at: line.booked_at,
    sales: -line.gross_minor,
    fees: line.fee_minor,
    taxes: line.tax_minor,
    held: line.net_minor,
  }
}

/** With our own payments and refunds, as far as they are known. */
async function linkLines(
  tx: Transaction,
  feed: Feed,
  lines: readonly ReportedLine[],
  payoutId: string | null,
): Promise<NewLine[]> {
  const { merchant_id: merchantId, account_id: accountId, mode } = feed
  const namesOf = (name: 'chargeReference' | 'refundReference'): string[] => [
    ...new Set(lines.flatMap((line) => line[name] ?? [])),
  ]
  const numbers = await findPaidNumbers(tx, { merchantId, accountId }, namesOf('chargeReference'))
  const refunds = await findRefundIds(tx, merchantId, namesOf('refundReference'))
  return lines.map((line) => {
    const refund = refunds.get(line.refundReference ?? '')
    return {
      ...stored(line),
      mode,
      payout_id: payoutId,
      number: refund?.number ?? numbers.get(line.chargeReference ?? '') ?? line.paymentNumber ?? null,
      refund_id: refund?.id ?? null,
    }
  })
}

function stored(line: ReportedLine): Omit<NewLine, 'mode' | 'payout_id' | 'number' | 'refund_id'> {
  const { grossMinor, feeMinor, taxMinor, original } = line
  return {
    reference: line.reference,
    kind: line.kind,
    type: line.type,
    currency: line.currency,
    gross_minor: grossMinor,
    fee_minor: feeMinor,
    tax_minor: taxMinor,
    net_minor: grossMinor - feeMinor - taxMinor,
    original_minor: original?.amountMinor ?? null,
    original_currency: original?.currency ?? null,
    exchange_rate: line.exchangeRate ?? null,
    charge_reference: line.chargeReference ?? null,
    refund_reference: line.refundReference ?? null,
    booked_at: line.bookedAt,
    available_at: line.availableAt,
  }
}
