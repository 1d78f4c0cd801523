import type { Database } from '../../../platform/database/database.ts'
import type { Cell } from '../../../platform/http/csv/csv-line.ts'
import { netOf } from '../../../platform/money/money-words.ts'
import { plainAmount } from '../../../platform/money/money.ts'
import type { StoredDispute } from '../../../core/payments/disputed/dispute-view.ts'
import type { ExportPages } from '../../../core/payments/export-payments.ts'
import { projectNamesOf } from '../../../core/payments/project-names.ts'
import { publicStatus, wasPaid } from '../../../core/payments/state-machine.ts'
import type { PaymentRow, ShownMethod } from '../../../core/payments/find-payment.ts'
import { listLinesOfPayments } from '../line-store.ts'
import { sumsOfPayment, type PaymentSums } from '../payment-sums.ts'
import type { Payout } from '../payout.ts'
import { listByIds } from '../payout-store.ts'

// Payments for bookkeepers: what was paid and how, what came of it since, and its payout. What happened on which day is in
// movements-file.ts.

type Row = {
  readonly payment: PaymentRow
  readonly project: string | null
  readonly sums: PaymentSums
  /** Of the payment itself. */
  readonly payout: Payout | undefined
}

type Column = readonly [name: string, cell: (row: Row) => Cell]

const columns: readonly Column[] = [
  ['reference', ({ payment }) => payment.reference],
  ['tx_ref', ({ payment }) => payment.tx_ref],
  ['status', ({ payment }) => publicStatus[payment.state]],
  ['created', ({ payment }) => ({ moment: payment.created_at })],
  ['paid', ({ payment }) => (payment.paid_at === null ? null : { moment: payment.paid_at })],
  ['method', ({ payment }) => methodOf(payment)],
  ['network', ({ payment }) => shownMethod(payment)?.network ?? null],
  ['currency', ({ payment }) => payment.currency],
  ['amount', ({ payment }) => amount(payment, payment.amount_minor)],
  ['gross', money(({ grossMinor }) => grossMinor)],
  ['refunds', money(({ refundsMinor }) => refundsMinor)],
  ['disputes', money(({ disputesMinor }) => disputesMinor)],
  ['network_fees', money(({ networkFeesMinor, isReported }) => (isReported ? networkFeesMinor : undefined))],
  ['net', money(netOf)],
  ['fees_reported', ({ payment, sums }) => (wasPaid(payment) ? (sums.isReported ? 'yes' : 'no') : null)],
  ['fees_in_other_currencies', ({ sums }) => describeOthers(sums)],
  ['platform_fee', ({ payment }) => (wasPaid(payment) ? amount(payment, payment.charge_minor) : null)],
  ['dispute', ({ payment }) => disputeOf(payment)?.state ?? null],
  ['payout', ({ payout }) => payout?.id ?? null],
  ['payout_date', ({ payout }) => payout?.arrives_on ?? null],
  ['first_name', ({ payment }) => payment.first_name],
  ['last_name', ({ payment }) => payment.last_name],
  ['email', ({ payment }) => payment.email],
  ['title', ({ payment }) => payment.title],
  ['description', ({ payment }) => payment.description],
  ['invoice_number', ({ payment }) => payment.invoice_number],
  ['project', ({ project }) => project],
  ['type', ({ payment }) => payment.type],
  ['mode', ({ payment }) => payment.mode],
  ['meta', ({ payment }) => payment.meta],
]

export const paymentsFile: ExportPages = (db, merchantId, pages) => ({
  header: columns.map(([name]) => name),
  pages: linesOf(db, merchantId, pages),
})

async function* linesOf(
  db: Database,
  merchantId: number,
  pages: AsyncIterable<readonly PaymentRow[]>,
): AsyncGenerator<Cell[][]> {
  for await (const payments of pages) {
    const numbers = payments.filter(wasPaid).map(({ number }) => number)
    const [names, lines] = await Promise.all([
      projectNamesOf(db, merchantId, payments),
      numbers.length === 0 ? [] : listLinesOfPayments(db, merchantId, numbers),
    ])
    const ids = [...new Set(lines.flatMap(({ payout_id }) => payout_id ?? []))]
    const payouts = ids.length === 0 ? [] : await listByIds(db, merchantId, ids)
    const byId = new Map(payouts.map((payout) => [payout.id, payout]))
    const byNumber = Map.groupBy(lines, ({ number }) => number)
    yield payments.map((payment) => {
      const booked = byNumber.get(payment.number) ?? []
      const payout = byId.get(booked.find(({ kind }) => kind === 'payment')?.payout_id ?? '')
      const project = names.get(payment.project_id ?? '') ?? null
      const row = { payment, project, sums: sumsOfPayment(payment, booked), payout }
      return columns.map(([, cell]) => cell(row))
    })
  }
}

function amount({ currency }: PaymentRow, minor: bigint): Cell {
  return { decimal: plainAmount(minor, currency) }
}

function shownMethod({ paid_with }: PaymentRow): ShownMethod | undefined {
  return paid_with === null ? undefined : (JSON.parse(paid_with) as ShownMethod)
}

/** `Visa 4242`, `card` or `bank`. */
function methodOf(payment: PaymentRow): string | null {
  const method = shownMethod(payment)
  if (!method) return null
  return method.brand === null ? method.kind : [method.brand, method.last4].filter(Boolean).join(' ')
}

function disputeOf({ dispute }: PaymentRow): StoredDispute | undefined {
  return dispute === null ? undefined : (JSON.parse(dispute) as StoredDispute)
}

/** Empty for a payment that was never paid, and where the figure isn't known. */
function money(minorOf: (sums: PaymentSums) => bigint | undefined): (row: Row) => Cell {
  return ({ payment, sums }) => {
    const minor = wasPaid(payment) ? minorOf(sums) : undefined
    return minor === undefined ? null : amount(payment, minor)
  }
}

/** `1.20 USD`: they can't be subtracted. */
function describeOthers({ otherFees }: PaymentSums): string | null {
  if (otherFees.size === 0) return null
  return [...otherFees].map(([code, minor]) => `${plainAmount(minor, code)} ${code}`).join(', ')
}
