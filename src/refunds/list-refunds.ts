import type { Database } from '../database/database.ts'
import { isTime, Query, type Fields } from '../input/fields.ts'
import type { Mode } from '../merchants/mode.ts'
import { refundStates, type RefundState } from './state-machine.ts'
import { listNewest, type RefundFilter, type RefundRow } from './store.ts'

// Newest first, by a cursor that names the last row seen, as the list of transactions.

const perPageDefault = 25
const perPageMax = 100
const refMax = 255

export type RefundPage = {
  readonly refunds: RefundRow[]
  readonly perPage: number
  readonly nextCursor: string | null
}

type Asked = Omit<RefundFilter, 'merchantId' | 'mode' | 'limit' | 'after'>

export async function listRefunds(
  db: Database,
  caller: { merchantId: number; mode: Mode },
  query: unknown,
): Promise<RefundPage> {
  const fields = new Query(query)
  const asked = readFilter(fields)
  const perPage = readPerPage(fields)
  const after = readCursor(fields)
  fields.checkAll()
  const rows = await listNewest(db, { ...caller, ...asked, after, limit: perPage + 1 })
  const refunds = rows.slice(0, perPage)
  const last = refunds.at(-1)
  return { refunds, perPage, nextCursor: rows.length > perPage && last ? makeCursor(last) : null }
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

function readPerPage(fields: Fields): number {
  const value = fields.value('per_page')
  if (value === undefined) return perPageDefault
  const number = typeof value === 'string' && /^[0-9]{1,3}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > perPageMax)
    fields.fail('per_page', `must be a whole number from 1 to ${perPageMax}`)
  return number
}

const cursorShape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (rfd_[0-9A-Za-z]{16})$/

function makeCursor(refund: RefundRow): string {
  return Buffer.from(`${refund.created_at} ${refund.id}`).toString('base64url')
}

function readCursor(fields: Fields): { createdAt: string; id: string } | undefined {
  const value = fields.value('cursor')
  if (value === undefined) return undefined
  const match =
    typeof value === 'string' ? cursorShape.exec(Buffer.from(value, 'base64url').toString()) : null
  if (!match?.[1] || !match[2] || !isTime(match[1]))
    return fields.fail('cursor', 'must be the next_cursor of an earlier page')
  return { createdAt: match[1], id: match[2] }
}
