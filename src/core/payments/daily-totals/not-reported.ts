import type { Database, Transaction } from '../../../platform/database/database.ts'
import { listPaid, setBooked, sumUnbooked, type PaidFilter, type PaidPayment } from './booked-store.ts'

// Payments whose networks have not reported their fees: counted and named beside every sum of fees.

export type { PaidFilter, PaidPayment }

/** So many take about 70 ms, two thousand 8; only a network that never reports bookings has more. */
export const notReportedMax = 10_000

export type NotReported = {
  readonly currency: string
  /** The connectors' names. */
  readonly networks: readonly string[]
  readonly payments: number
  readonly amountMinor: bigint
  /** False: there are more, older ones. */
  readonly isWhole: boolean
}

/** A row for each currency that has any. */
export async function readNotReported(
  db: Database,
  filter: PaidFilter,
  max = notReportedMax,
): Promise<NotReported[]> {
  const rows = await sumUnbooked(db, filter, max)
  const isWhole = rows.reduce((sum, { payments }) => sum + payments, 0) < max
  return [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, all]) => ({
    currency,
    networks: all.flatMap(({ network }) => network ?? []),
    payments: all.reduce((sum, { payments }) => sum + payments, 0),
    amountMinor: all.reduce((sum, { amount_minor }) => sum + amount_minor, 0n),
    isWhole,
  }))
}

/** Paid payments, whatever became of the money later, the oldest first. */
export async function* readPaid(
  db: Database,
  filter: PaidFilter,
  pageSize: number,
): AsyncGenerator<readonly PaidPayment[]> {
  let last: PaidPayment | undefined
  do {
    const after = last && { at: last.at, number: last.number }
    const page = await listPaid(db, filter, { after, limit: pageSize })
    if (page.length > 0) yield page
    last = page.length === pageSize ? page.at(-1) : undefined
  } while (last)
}

/** Their network's booking has come. */
export async function markBooked(
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<void> {
  if (numbers.length > 0) await setBooked(tx, merchantId, numbers)
}
