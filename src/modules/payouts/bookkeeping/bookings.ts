import type { LineKind } from '../../../core/networks/payout-reports.ts'
import type { Booking } from './datev.ts'

// A line and a payout in double entry. A network's clearing account holds what the network holds: sales come in, fees
// and payouts go out, and its balance is the network's.

export type Accounts = {
  readonly sales: string
  readonly fees: string
  readonly feeTax: string
  readonly other: string
  /**
   * The bank's account, or money in transit if the bank's own statement is booked as well. Empty: payouts aren't
   * booked.
   */
  readonly bank: string
  readonly clearing: string
}

export type ExportedLine = {
  readonly connector: string
  /** `payment_pending`: by our own records, until the network books it. */
  readonly kind: LineKind | 'payment_pending'
  /** The network's own word for the kind. */
  readonly type: string
  readonly day: string
  readonly currency: string
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly taxMinor: bigint
  readonly netMinor: bigint
  readonly originalMinor: bigint | null
  readonly originalCurrency: string | null
  readonly exchangeRate: string | null
  /** The network's name of the booking. */
  readonly reference: string
  /** Our payment's; empty if the line isn't about one. */
  readonly txRef: string
  readonly paymentReference: string
  readonly customer: string
  readonly payoutId: string
  readonly arrivesOn: string
  readonly bankReference: string
}

export type PayoutMove = {
  readonly connector: string
  readonly id: string
  readonly reference: string
  readonly bankReference: string
  readonly day: string
  readonly currency: string
  /** What reached the bank; negative if it was returned, or if the network took money. */
  readonly amountMinor: bigint
}

type Part = readonly [intoClearingMinor: bigint, contraAccount: string, text: string]

export function bookingsOfLine(line: ExportedLine, accounts: Accounts): Booking[] {
  const parts: readonly Part[] = [
    [line.grossMinor, contraOf(line.kind, accounts), line.kind.replace('_', ' ')],
    [-line.feeMinor, accounts.fees, 'fee'],
    [-line.taxMinor, accounts.feeTax, 'tax on fee'],
  ]
  const notes = [
    ['tx_ref', line.txRef],
    ['Network reference', line.reference],
    ['Payout', line.payoutId],
    ['Customer', line.customer],
  ] as const
  return parts.flatMap(([minor, contraAccount, text]) =>
    book(minor, accounts.clearing, contraAccount, {
      day: line.day,
      document: line.txRef || line.reference,
      text: `${line.connector} ${text} ${line.txRef || line.type}`,
      notes: notes.filter(([, value]) => value !== ''),
    }),
  )
}

export function bookingsOfPayout(move: PayoutMove, accounts: Accounts): Booking[] {
  const { connector, id, reference, bankReference, day, amountMinor } = move
  if (accounts.bank === '') return []
  return book(-amountMinor, accounts.clearing, accounts.bank, {
    day,
    document: bankReference || reference,
    text: `${connector} payout ${bankReference || reference}`,
    notes: [
      ['Network reference', reference],
      ['Payout', id],
    ],
  })
}

function contraOf(kind: ExportedLine['kind'], { sales, fees, other }: Accounts): string {
  const isSale = kind === 'payment' || kind === 'payment_pending' || kind === 'refund' || kind === 'dispute'
  if (isSale) return sales
  return kind === 'fee' ? fees : other
}

function book(
  intoClearingMinor: bigint,
  clearing: string,
  contraAccount: string,
  rest: Pick<Booking, 'day' | 'document' | 'text' | 'notes'>,
): Booking[] {
  if (intoClearingMinor === 0n) return []
  const isDebit = intoClearingMinor > 0n
  const amountMinor = isDebit ? intoClearingMinor : -intoClearingMinor
  return [{ amountMinor, side: isDebit ? 'S' : 'H', account: clearing, contraAccount, ...rest }]
}
