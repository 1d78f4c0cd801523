import type { Database } from '../../platform/database/database.ts'
import { Query, type Fields } from '../../platform/input/fields.ts'
import { findProjectEver } from '../projects/find-project.ts'
import { readWantsTotals, type ListTotal, type SumList } from './list-totals/list-totals.ts'
import { projectNamesOf } from './project-names.ts'
import { limits } from './limits.ts'
import { paymentStates, type PaymentState } from './state-machine.ts'
import { listPayments, type ListFilter, type PaymentRow } from './store.ts'
import type { Mode } from '../merchants/mode.ts'
import { readPage, type ListPart, type PageEnd, type CursorPosition } from '../../platform/input/cursor.ts'

// Newest first, by a cursor that names the last row seen: a page costs the same at the end as at the start, and
// rows that arrive meanwhile never shift it.

const emailShape = /^[^\s@]+@[^\s@]+$/

const names = /^\d{24}$/

export type ListScope = { readonly merchantId: number; readonly mode: Mode }

export type PaymentPage = PageEnd & {
  readonly payments: PaymentRow[]
  /** id → name, of the projects on this page. */
  readonly projectNames: ReadonlyMap<string, string>
}

/** With what the whole list comes to, where that is asked for. */
export async function listTransactions(
  db: Database,
  caller: ListScope,
  query: unknown,
  sumList?: SumList,
): Promise<PaymentPage & { readonly totals?: readonly ListTotal[] }> {
  const fields = new Query(query)
  const filter = await readFilter(db, caller, fields)
  const wantsTotals = sumList !== undefined && readWantsTotals(fields)
  const page = await readPaymentPage(db, fields, caller.merchantId, async (part) =>
    listPayments(db, { ...filter, ...part }),
  )
  return wantsTotals ? { ...page, totals: await sumList(filter) } : page
}

/** The requested page of whatever `list` reads. Checks the fields. */
export async function readPaymentPage(
  db: Database,
  fields: Query,
  merchantId: number,
  list: ListPaymentPart,
): Promise<PaymentPage> {
  const { rows: payments, ...end } = await readPage(fields, { names, positionOf }, async (part) =>
    list(partOf(part)),
  )
  const projectNames = await projectNamesOf(db, merchantId, payments)
  return { payments, projectNames, ...end }
}

/** As the stores of payments name a place. */
export type ListPaymentPart = (part: Pick<ListFilter, 'after' | 'limit'>) => Promise<PaymentRow[]>

export function positionOf({ created_at: at, number: name }: PaymentRow): CursorPosition {
  return { at, name }
}

export function partOf({ after, limit }: ListPart): Pick<ListFilter, 'after' | 'limit'> {
  return { after: after && { createdAt: after.at, number: after.name }, limit }
}

export type PaymentFilter = Omit<ListFilter, 'after' | 'limit'>

/** The filters of the list and the export. The caller checks the fields once it has read its own. */
export async function readFilter(db: Database, caller: ListScope, fields: Fields): Promise<PaymentFilter> {
  const filter = {
    ...caller,
    txRef: fields.text('tx_ref', { max: limits.txRef }),
    state: readStatus(fields),
    currency: readCurrency(fields),
    email: readEmail(fields),
    createdFrom: fields.time('created_from'),
    createdTo: fields.time('created_to'),
  }
  const project = fields.text('project', { max: 255 })
  if (project === undefined) return filter
  const projectId = (await findProjectEver(db, caller.merchantId, project))?.id
  if (projectId === undefined) fields.fail('project', 'must be one of your projects')
  return { ...filter, projectId }
}

function readStatus(fields: Fields): PaymentState | undefined {
  const value = fields.value('status')
  if (value === undefined) return undefined
  const found = paymentStates.find((state) => state === value)
  return found ?? fields.fail('status', `must be one of ${paymentStates.join(', ')}`)
}

function readCurrency(fields: Fields): string | undefined {
  const value = fields.value('currency')
  if (value === undefined) return undefined
  if (typeof value === 'string' && /^[A-Za-z]{3}$/.test(value)) return value.toUpperCase()
  return fields.fail('currency', 'must be three letters, such as GBP')
}

/** No stricter than needed to recognise an address: an old payment must be found. */
function readEmail(fields: Fields): string | undefined {
  const text = fields.text('email', { max: limits.email })
  if (text === undefined || emailShape.test(text)) return text
  return fields.fail('email', 'must be one valid e-mail address')
}
