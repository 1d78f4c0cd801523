import type { Database } from '../database/database.ts'
import { isTime, Query, type Fields } from '../input/fields.ts'
import type { Mode } from '../merchants/mode.ts'
import { limits } from '../payments/limits.ts'
import { disputeStates, type DisputeState } from '../payments/disputed/dispute-view.ts'
import { listDisputes, type DisputeRow } from './store.ts'

// Newest first, by a cursor that names the last row seen, as in the list of transactions.

export const perPageDefault = 25
export const perPageMax = 100

export type DisputePage = {
  readonly disputes: readonly DisputeRow[]
  readonly perPage: number
  readonly nextCursor: string | null
}

export async function readDisputes(
  db: Database,
  caller: { merchantId: number; mode: Mode },
  query: unknown,
): Promise<DisputePage> {
  const fields = new Query(query)
  const state = readState(fields)
  const txRef = fields.text('tx_ref', { max: limits.txRef })
  const perPage = readPerPage(fields)
  const after = readCursor(fields)
  fields.checkAll()
  const rows = await listDisputes(db, { ...caller, state, txRef, after, limit: perPage + 1 })
  const disputes = rows.slice(0, perPage)
  const last = disputes.at(-1)
  return { disputes, perPage, nextCursor: rows.length > perPage && last ? makeCursor(last) : null }
}

function readState(fields: Fields): DisputeState | undefined {
  const value = fields.value('state')
  if (value === undefined) return undefined
  const found = disputeStates.find((state) => state === value)
  return found ?? fields.fail('state', `must be one of ${disputeStates.join(', ')}`)
}

function readPerPage(fields: Fields): number {
  const value = fields.value('per_page')
  if (value === undefined) return perPageDefault
  const number = typeof value === 'string' && /^[0-9]{1,3}$/.test(value) ? Number(value) : 0
  if (number < 1 || number > perPageMax)
    fields.fail('per_page', `must be a whole number from 1 to ${perPageMax}`)
  return number
}

const cursorShape = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (dsp_[0-9A-Za-z]{1,40})$/

function makeCursor(dispute: DisputeRow): string {
  return Buffer.from(`${dispute.opened_at} ${dispute.id}`).toString('base64url')
}

function readCursor(fields: Fields): { openedAt: string; id: string } | undefined {
  const value = fields.value('cursor')
  if (value === undefined) return undefined
  const match =
    typeof value === 'string' ? cursorShape.exec(Buffer.from(value, 'base64url').toString()) : null
  if (!match?.[1] || !match[2] || !isTime(match[1]))
    return fields.fail('cursor', 'must be the next_cursor of an earlier page')
  return { openedAt: match[1], id: match[2] }
}
