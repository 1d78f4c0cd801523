import type { Database } from '../database/database.ts'
import { Query, type Fields } from '../input/fields.ts'
import type { Mode } from '../merchants/mode.ts'
import { limits } from '../payments/limits.ts'
import { disputeStates, type DisputeState } from '../payments/disputed/dispute-view.ts'
import { listDisputes, listOfPayment, listToAnswer, type DisputeRow } from './store.ts'
import type { PaymentRow } from '../payments/checkout-view.ts'
import { makeCursor, readCursor, readPerPage } from '../input/cursor.ts'

// Newest first, by a cursor that names the last row seen, as in the list of transactions.

export const disputeNames = /^dsp_[0-9A-Za-z]{1,40}$/

export type { DisputeRow } from './store.ts'

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
  const place = readCursor(fields, disputeNames)
  const after = place && { openedAt: place.at, id: place.name }
  fields.checkAll()
  const rows = await listDisputes(db, { ...caller, state, txRef, after, limit: perPage + 1 })
  const disputes = rows.slice(0, perPage)
  const last = disputes.at(-1)
  return {
    disputes,
    perPage,
    nextCursor: rows.length > perPage && last ? makeCursor({ at: last.opened_at, name: last.id }) : null,
  }
}

/** Newest first. A payment that was never disputed costs no query. */
export async function disputesOf(
  db: Database,
  payment: Pick<PaymentRow, 'merchant_id' | 'number' | 'dispute'>,
): Promise<DisputeRow[]> {
  const { merchant_id: merchantId, number } = payment
  return payment.dispute === null ? [] : listOfPayment(db, { merchantId, number })
}

/** What waits for the merchant: the most urgent first, so many at most. */
export async function disputesToAnswer(
  db: Database,
  of: { merchantId: number; mode: Mode },
  limit: number,
): Promise<readonly DisputeRow[]> {
  return listToAnswer(db, of, limit)
}

function readState(fields: Fields): DisputeState | undefined {
  const value = fields.value('state')
  if (value === undefined) return undefined
  const found = disputeStates.find((state) => state === value)
  return found ?? fields.fail('state', `must be one of ${disputeStates.join(', ')}`)
}
