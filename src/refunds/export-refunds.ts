import type { Database } from '../database/database.ts'
import type { Cell } from '../http/csv/csv-line.ts'
import { Query } from '../input/fields.ts'
import { plainAmount } from '../money/money.ts'
import { readFilter, type RefundCaller } from './list-refunds.ts'
import { refundStatus } from './state-machine.ts'
import { listNewest, type RefundFilter, type RefundRow } from './store.ts'

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
  ['amount', (refund) => plainAmount(refund.amount_minor, refund.currency)],
  ['amount_minor', (refund) => refund.amount_minor],
  ['fee_returned', (refund) => plainAmount(refund.fee_returned_minor, refund.currency)],
  ['fee_returned_minor', (refund) => refund.fee_returned_minor],
  ['reason', (refund) => refund.reason],
  ['failure', (refund) => refund.failure],
  ['created_at', (refund) => refund.created_at],
  ['updated_at', (refund) => refund.updated_at],
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
  return { header: refundColumns, pages: readPages(db, { ...caller, ...filter }) }
}

async function* readPages(
  db: Database,
  filter: Omit<RefundFilter, 'after' | 'limit'>,
): AsyncGenerator<Cell[][]> {
  let last: RefundRow | undefined
  do {
    const after = last && { createdAt: last.created_at, id: last.id }
    const refunds = await listNewest(db, { ...filter, after, limit: pageSize })
    yield refunds.map((refund) => columns.map(([, cell]) => cell(refund)))
    last = refunds.length === pageSize ? refunds.at(-1) : undefined
  } while (last)
}
