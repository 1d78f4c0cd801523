import type { Database } from '../../platform/database/database.ts'
import { Query, type Fields } from '../../platform/input/fields.ts'
import { refundStateOf, refundStatuses, type RefundState } from './state-machine.ts'
import { listNewest, type RefundFilter, type RefundRow } from './store.ts'
import { createdPlace, readPage, type ListPart, type PageEnd } from '../../platform/input/cursor.ts'

// Newest first, by a cursor that names the last row seen, as the list of transactions.

const refMax = 255

const names = /^rfd_[0-9A-Za-z]{16}$/

export type RefundPage = PageEnd & { readonly refunds: RefundRow[] }

type ForPeople = 'named' | 'currency' | 'wentBackFrom' | 'wentBackTo'
type RefundListFilter = Omit<RefundFilter, 'merchantId' | 'mode' | ForPeople | 'limit' | 'after'>

/** Whose refunds. For people, filters that the API doesn't have. */
export type RefundCaller = Pick<RefundFilter, 'merchantId' | 'mode' | ForPeople>

/** `ofPayment`: the tx_ref of the payment that the address names. */
export async function listRefunds(
  db: Database,
  caller: RefundCaller,
  query: unknown,
  ofPayment?: string,
): Promise<RefundPage> {
  const fields = new Query(query)
  const asked =
    ofPayment === undefined ? readFilter(fields) : { ...readMoreFilters(fields), txRef: ofPayment }
  const list = async (part: ListPart) => listPart(db, { ...caller, ...asked }, part)
  const { rows: refunds, ...end } = await readPage(fields, { names, positionOf: createdPlace }, list)
  return { refunds, ...end }
}

export async function listPart(
  db: Database,
  filter: Omit<RefundFilter, 'after' | 'limit'>,
  { after, limit }: ListPart,
): Promise<RefundRow[]> {
  return listNewest(db, { ...filter, after: after && { createdAt: after.at, id: after.name }, limit })
}

/** The filters of a list of refunds. */
export function readFilter(fields: Fields): RefundListFilter {
  return { txRef: fields.text('tx_ref', { max: refMax }), ...readMoreFilters(fields) }
}

function readMoreFilters(fields: Fields): Omit<RefundListFilter, 'txRef'> {
  return {
    state: readStatus(fields),
    createdFrom: fields.time('created_from'),
    createdTo: fields.time('created_to'),
  }
}

function readStatus(fields: Fields): RefundState | undefined {
  const value = fields.value('status')
  if (value === undefined) return undefined
  return refundStateOf(value) ?? fields.fail('status', `must be one of ${refundStatuses.join(', ')}`)
}
