import type { Database } from '../../database/database.ts'
import type { Cell } from '../../http/csv/csv-line.ts'
import { plainAmount } from '../../money/money.ts'
import type { StoredDispute } from '../../payments/disputed/dispute-view.ts'
import { projectNamesOf } from '../../payments/project-names.ts'
import { publicStatus } from '../../payments/state-machine.ts'
import type { PaymentRow, ShownMethod } from '../../payments/find-payment.ts'
import { listLinesOfPayments } from '../line-store.ts'
import type { Payout, PayoutLine } from '../payout.ts'
import { listByIds } from '../payout-store.ts'

// Payments for bookkeepers: what was paid and how, what is left of it, and its payout.

type Row = {
  readonly payment: PaymentRow
  readonly project: string | null
  /** What the network booked for the payment itself. */
  readonly line: PayoutLine | undefined
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
  ['gross', ({ payment }) => amount(payment, payment.amount_minor)],
  ['fee', ({ payment }) => (wasPaid(payment) ? amount(payment, payment.charge_minor) : null)],
  ['refunded', ({ payment }) => (wasPaid(payment) ? amount(payment, payment.refunded_minor) : null)],
  ['disputed', ({ payment }) => (wasPaid(payment) ? amount(payment, takenOf(payment)) : null)],
  ['net', ({ payment }) => (wasPaid(payment) ? amount(payment, netOf(payment)) : null)],
  ['dispute', ({ payment }) => disputeOf(payment)?.state ?? null],
  ['network_fee', ({ payment, line }) => networkFee(payment, line)],
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

export type PaymentsFile = {
  readonly header: readonly string[]
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>
}

export function paymentsFile(
  db: Database,
  merchantId: number,
  pages: AsyncIterable<readonly PaymentRow[]>,
): PaymentsFile {
  return { header: columns.map(([name]) => name), pages: linesOf(db, merchantId, pages) }
}

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
    const ofPayments = lines.filter(({ kind }) => kind === 'payment')
    const byNumber = new Map(ofPayments.map((line) => [line.number, line]))
    yield payments.map((payment) => {
      const line = byNumber.get(payment.number)
      const project = names.get(payment.project_id ?? '') ?? null
      const row = { payment, project, line, payout: byId.get(line?.payout_id ?? '') }
      return columns.map(([, cell]) => cell(row))
    })
  }
}

function wasPaid({ state }: PaymentRow): boolean {
  return state === 'success' || state === 'refunded' || state === 'reversed'
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

/** What the bank has. It takes all of a payment, as the figures on Home do. */
function takenOf({ state, amount_minor }: PaymentRow): bigint {
  return state === 'reversed' ? amount_minor : 0n
}

function netOf(payment: PaymentRow): bigint {
  return payment.amount_minor - payment.charge_minor - payment.refunded_minor - takenOf(payment)
}

/** Only in the currency of the payment: other amounts would be added up by mistake. */
function networkFee(payment: PaymentRow, line: PayoutLine | undefined): Cell {
  if (line?.currency !== payment.currency) return null
  return amount(payment, line.fee_minor + line.tax_minor)
}
