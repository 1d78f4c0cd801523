import type { Database } from '../../platform/database/database.ts'
import type { Cell } from '../../platform/http/csv/csv-line.ts'
import { readPages } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import { plainAmount } from '../../platform/money/money.ts'
import { partOf, positionOf, readFilter, type ListPaymentPart, type ListScope } from './list-payments.ts'
import { projectNamesOf } from './project-names.ts'
import { publicStatus, wasPaid } from './state-machine.ts'
import { listPayments, type PaymentRow } from './store.ts'

// For programs, and for people where no module brings another file. Every payment of the list with the same filter, in its
// order, as rows of a file. Each row is as it was when its page was read; payments created later are newer than the
// first one and left out.

const pageSize = 500 // No test: the exact number is no promise

type Column = readonly [name: string, cell: (payment: PaymentRow, project: string | null) => Cell]

const columns: readonly Column[] = [
  ['tx_ref', (payment) => payment.tx_ref],
  ['reference', (payment) => payment.reference],
  ['status', (payment) => publicStatus[payment.state]],
  ['mode', (payment) => payment.mode],
  ['type', (payment) => payment.type],
  ['currency', (payment) => payment.currency],
  ['amount', (payment) => plainAmount(payment.amount_minor, payment.currency)],
  ['amount_minor', (payment) => payment.amount_minor],
  // A payment that was never paid cost nothing.
  ['charge', (payment) => (wasPaid(payment) ? plainAmount(payment.charge_minor, payment.currency) : null)],
  ['charge_minor', (payment) => (wasPaid(payment) ? payment.charge_minor : null)],
  ['refunded', (payment) => plainAmount(payment.refunded_minor, payment.currency)],
  ['refunded_minor', (payment) => payment.refunded_minor],
  ['first_name', (payment) => payment.first_name],
  ['last_name', (payment) => payment.last_name],
  ['email', (payment) => payment.email],
  ['title', (payment) => payment.title],
  ['description', (payment) => payment.description],
  ['project', (_, project) => project],
  ['project_id', (payment) => payment.project_id],
  ['meta', (payment) => payment.meta],
  ['created_at', (payment) => payment.created_at],
  ['updated_at', (payment) => payment.updated_at],
]

export const exportColumns: readonly string[] = columns.map(([name]) => name)

export type PaymentExport = {
  readonly header: readonly string[]
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>
}

/** Takes the filters of the list. Throws the refusal before a row is read. */
export async function exportTransactions(
  db: Database,
  caller: ListScope,
  query: unknown,
): Promise<PaymentExport> {
  const fields = new Query(query)
  const filter = await readFilter(db, caller, fields)
  fields.checkAll()
  const list: ListPaymentPart = async (page) => listPayments(db, { ...filter, ...page })
  const pages = readPages(pageSize, positionOf, async (part) => list(partOf(part)))
  return exportPages(db, filter.merchantId, pages)
}

/** How payments become a file. */
export type ExportPages = (
  db: Database,
  merchantId: number,
  pages: AsyncIterable<readonly PaymentRow[]>,
) => PaymentExport

export const exportPages: ExportPages = (db, merchantId, pages) => ({
  header: exportColumns,
  pages: linesOf(db, merchantId, pages),
})

async function* linesOf(
  db: Database,
  merchantId: number,
  pages: AsyncIterable<readonly PaymentRow[]>,
): AsyncGenerator<Cell[][]> {
  for await (const payments of pages) {
    const names = await projectNamesOf(db, merchantId, payments)
    yield payments.map((payment) =>
      columns.map(([, cell]) => cell(payment, names.get(payment.project_id ?? '') ?? null)),
    )
  }
}
