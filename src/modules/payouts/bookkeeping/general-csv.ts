import type { Cell } from '../../../platform/http/csv/csv-line.ts'
import { plainAmount } from '../../../platform/money/money.ts'
import { describeNotReported } from '../figures/describe-not-reported.ts'
import type { NotReported } from '../figures/money-totals.ts'
import type { ExportedLine, PayoutMove } from './bookings.ts'

// The export for any program: a row for each booking of a network, for each sale that waits for one, and for each payout that
// reached the bank. `net` of all rows adds up to what the network holds or has on its way.

type Row = Record<string, Cell>

/** In the order of the file. */
const columns =
  `date kind type network tx_ref reference customer amount fee tax_on_fee net currency original_amount
original_currency exchange_rate network_reference payout arrival bank_reference`.split(/\s/)

export const generalColumns: readonly string[] = columns

function cellsOf(row: Row): Cell[] {
  return columns.map((name) => row[name] ?? null)
}

function amount(minor: bigint, currency: string): Cell {
  return { decimal: plainAmount(minor, currency) }
}

export function lineCells(line: ExportedLine): Cell[] {
  const { currency, originalMinor, originalCurrency } = line
  return cellsOf({
    date: line.day,
    kind: line.kind,
    type: line.type,
    network: line.connector,
    tx_ref: line.txRef,
    reference: line.paymentReference,
    customer: line.customer,
    amount: amount(line.grossMinor, currency),
    fee: amount(line.feeMinor, currency),
    tax_on_fee: amount(line.taxMinor, currency),
    net: amount(line.netMinor, currency),
    currency,
    original_amount:
      originalMinor === null || originalCurrency === null ? null : amount(originalMinor, originalCurrency),
    original_currency: originalCurrency,
    exchange_rate: line.exchangeRate,
    network_reference: line.reference,
    payout: line.payoutId,
    arrival: line.arrivesOn,
    bank_reference: line.bankReference,
  })
}

export function payoutCells(move: PayoutMove, isReturn: boolean): Cell[] {
  const { currency, amountMinor } = move
  return cellsOf({
    date: move.day,
    kind: isReturn ? 'payout_returned' : 'payout',
    network: move.connector,
    amount: amount(-amountMinor, currency),
    fee: amount(0n, currency),
    tax_on_fee: amount(0n, currency),
    net: amount(-amountMinor, currency),
    currency,
    network_reference: move.reference,
    payout: move.id,
    arrival: isReturn ? null : move.day,
    bank_reference: move.bankReference,
  })
}

/** The last rows: what no network has booked. They have no amounts, which would be added up twice. */
export function notBookedCells(notReported: NotReported): Cell[] {
  return cellsOf({
    kind: 'not_booked',
    type: describeNotReported(notReported, (network) => network),
    currency: notReported.currency,
  })
}
