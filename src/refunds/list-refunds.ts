import type { Database } from '../database/database.ts'
import { Query, type Fields } from '../input/fields.ts'
import { refundStates, type RefundState } from './state-machine.ts'
import { listNewest, type RefundFilter, type RefundRow } from './store.ts'
import { makeCursor, readCursor, readPerPage } from '../input/cursor.ts'

// Newest first, by a cursor that names the last row seen, as the list of transactions.

const refMax = 255

const names = /^rfd_[0-9A-Za-z]{16}$/

export type RefundPage = {
  readonly refunds: RefundRow[]
  readonly perPage: number
  readonly nextCursor: string | null
}

type Asked = Omit<RefundFilter, 'merchantId' | 'mode' | 'named' | 'limit' | 'after'>

/** Whose refunds; for people, also those alone that bear a name. */
export type RefundCaller = Pick<RefundFilter, 'merchantId' | 'mode' | 'named'>

export async function listRefunds(db: Database, caller: RefundCaller, query: unknown): Promise<RefundPage> {
  const fields = new Query(query)
  const asked = readFilter(fields)
  const perPage = readPerPage(fields)
  const place = readCursor(fields, names)
  const after = place && { createdAt: place.at, id: place.name }
  fields.checkAll()
  const rows = await listNewest(db, { ...caller, ...asked, after, limit: perPage + 1 })
  const refunds = rows.slice(0, perPage)
  const last = refunds.at(-1)
  return {
    refunds,
    perPage,
    nextCursor: rows.length > perPage && last ? makeCursor({ at: last.created_at, name: last.id }) : null,
  }
}

/** What a list of refunds can be narrowed to. */
export function readFilter(fields: Fields): Asked {
  return {
    txRef: fields.text('tx_ref', { max: refMax }),
    state: readStatus(fields),
    createdFrom: fields.time('created_from'),
    createdTo: fields.time('created_to'),
  }
}

function readStatus(fields: Fields): RefundState | undefined {
  const value = fields.value('status')
  if (value === undefined) return undefined
  const found = refundStates.find((state) => state === value)
  return found ?? fields.fail('status', `must be one of ${refundStates.join(', ')}`)
}
