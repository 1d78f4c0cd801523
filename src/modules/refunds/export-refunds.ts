import type { Database } from '../../platform/database/database.ts'
import type { Cell } from '../../platform/http/csv/csv-line.ts'
import { createdPlace, readPages } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import { plainAmount } from '../../platform/money/money.ts'
import { listPart, readFilter, type RefundCaller } from './list-refunds.ts'
import { refundStatus } from './state-machine.ts'
import type { RefundFilter, RefundRow } from './store.ts'

// Every refund that the list would show for the same question, in its order, as rows of a file.

const pageSize = 500

type Column = readonly [name: string, cell: (refund: RefundRow) => Cell]

const columns: readonly Column[] = [
  ['refund_ref', (refund) => refund.refund_ref],
  ['tx_ref', (refund) => refund.tx_ref],
  ['reference', (refund) => refund.reference],
  ['status', (refund) => refundStatus[refund.state]],
  ['mode', (refund) => refund.mode],
  ['currency', (refund) => refund.currency],
  ['amount', (refund) => ({ decimal: plainAmount(refund.amount_minor, refund.currency) })],
  ['amount_minor', (refund) => refund.amount_minor],
  ['fee_returned', (refund) => ({ decimal: plainAmount(refund.fee_returned_minor, refund.currency) })],
  ['fee_returned_minor', (refund) => refund.fee_returned_minor],
  ['reason', (refund) => refund.reason],
  ['failure', (refund) => refund.failure],
  ['created_at', (refund) => ({ moment: refund.created_at })],
  ['updated_at', (refund) => ({ moment: refund.updated_at })],
]

export const refundColumns: readonly string[] = columns.map(([name]) => name)

export type RefundExport = {
  readonly header: readonly string[]
  readonly pages: AsyncIterable<readonly (readonly Cell[])[]>
}

/** Takes the filters of the list. Throws the refusal before a row is read. */
export function exportRefunds(db: Database, caller: RefundCaller, query: unknown): RefundExport {
  const fields = new Query(query)
  const filter = readFilter(fields)
  fields.checkAll()
  return { header: refundColumns, pages: linesOf(db, { ...caller, ...filter }) }
}

async function* linesOf(
  db: Database,
  filter: Omit<RefundFilter, 'after' | 'limit'>,
): AsyncGenerator<Cell[][]> {
  for await (const refunds of readPages(pageSize, createdPlace, async (part) => listPart(db, filter, part)))
    yield refunds.map((refund) => columns.map(([, cell]) => cell(refund)))
}
