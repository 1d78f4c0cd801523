import type { Database } from '../../../platform/database/database.ts'
import { dayAt, endOfDay, startOfDay } from '../../../core/merchants/brand/end-of-day.ts'
import type { PaymentRow, ShownMethod } from '../../../core/payments/find-payment.ts'
import { readPaid } from '../../../core/payments/daily-totals/not-reported.ts'
import { listLinesOfPayments } from '../line-store.ts'
import type { Period } from './bookkeeping-store.ts'
import type { ExportedLine } from './bookings.ts'

// Networks such as GoCardless report a payment only with its payout, days later. A sale that isn't booked when the period ends
// is in its file as pending, by our own records. The file of the period in which the network books it takes that back, beside
// the network's own line. So periods that follow one another have each sale once, whenever their files are made.

const pageSize = 500 // No test: any number of rows at once will do

/** `connectors`: the ones that report bookings at all. */
export async function* readPending(
  db: Database,
  period: Period,
  connectors: ReadonlySet<string>,
): AsyncGenerator<ExportedLine[]> {
  const { merchantId, mode, from, to, timeZone, currency } = period
  const end = endOfDay(to, timeZone)
  const days = { from: startOfDay(from, timeZone).toISOString(), to: end.toISOString() }
  for await (const payments of readPaid(db, { merchantId, mode, currency, ...days }, pageSize)) {
    const lines = await listLinesOfPayments(
      db,
      merchantId,
      payments.map(({ number }) => number),
    )
    const booked = new Set(
      lines
        .filter(({ kind, booked_at }) => kind === 'payment' && new Date(booked_at) < end)
        .map(({ number }) => number),
    )
    yield payments
      .filter((payment) => !booked.has(payment.number) && connectors.has(connectorOf(payment)))
      .map((payment) => pendingLine(payment, 'paid', dayAt(new Date(payment.at), timeZone)))
  }
}

/** The other half, on the day of the network's line; nothing for a payment that was never pending. */
export function takenBack(
  payment: PaymentRow,
  day: string,
  { from, timeZone, currency }: Period,
  connectors: ReadonlySet<string>,
): ExportedLine[] {
  const paidAt = new Date(payment.paid_at ?? payment.updated_at)
  const isChosen = currency === '' || payment.currency === currency
  const wasPending = paidAt < startOfDay(from, timeZone) && connectors.has(connectorOf(payment))
  return isChosen && wasPending ? [pendingLine(payment, 'booked', day)] : []
}

function connectorOf({ paid_with }: PaymentRow): string {
  return paid_with === null ? '' : (JSON.parse(paid_with) as ShownMethod).network
}

function pendingLine(payment: PaymentRow, type: 'paid' | 'booked', day: string): ExportedLine {
  const grossMinor = type === 'paid' ? payment.amount_minor : -payment.amount_minor
  return {
    connector: connectorOf(payment),
    kind: 'payment_pending',
    type,
    day,
    currency: payment.currency,
    grossMinor,
    feeMinor: 0n,
    taxMinor: 0n,
    netMinor: grossMinor,
    originalMinor: null,
    originalCurrency: null,
    exchangeRate: null,
    reference: '',
    ...describePayment(payment),
    payoutId: '',
    arrivesOn: '',
    bankReference: '',
  }
}

/** Our names for the payment of a line; empty if it isn't about one. */
export function describePayment(
  payment: PaymentRow | undefined,
): Pick<ExportedLine, 'txRef' | 'paymentReference' | 'customer'> {
  return {
    txRef: payment?.tx_ref ?? '',
    paymentReference: payment?.reference ?? '',
    customer: payment ? `${payment.first_name} ${payment.last_name}`.trim() : '',
  }
}
