import type { Database } from '../../platform/database/database.ts'
import { Query, type Fields } from '../../platform/input/fields.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { limits } from '../../core/payments/limits.ts'
import { disputeStates, type DisputeState } from '../../core/payments/disputed/dispute-view.ts'
import { withLosses, type DisputeWithLoss } from './losses.ts'
import { listDisputes, listOfPayment, listOfPayments, listToAnswer, type DisputeRow } from './store.ts'
import type { PaymentRow } from '../../core/payments/checkout-view.ts'
import { readPage, type PageEnd, type CursorPosition } from '../../platform/input/cursor.ts'

// Newest first, by a cursor that names the last row seen, as in the list of transactions.

export const disputeNames = /^dsp_[0-9A-Za-z]{1,40}$/

export type { DisputeRow } from './store.ts'
export type { DisputeWithLoss } from './losses.ts'

/** Older ones are not looked through. */
const underReviewMax = 100 // No test: how far back is no promise

export type DisputePage = PageEnd & { readonly disputes: readonly DisputeWithLoss[] }

export async function readDisputes(
  db: Database,
  caller: { merchantId: number; mode: Mode },
  query: unknown,
): Promise<DisputePage> {
  const fields = new Query(query)
  const state = readStatus(fields)
  const txRef = fields.text('tx_ref', { max: limits.txRef })
  const { rows, ...end } = await readPage(
    fields,
    { names: disputeNames, positionOf },
    async ({ after, limit }) =>
      listDisputes(db, {
        ...caller,
        state,
        txRef,
        after: after && { openedAt: after.at, id: after.name },
        limit,
      }),
  )
  return { disputes: await withLosses(db, caller.merchantId, rows), ...end }
}

function positionOf({ opened_at: at, id: name }: DisputeRow): CursorPosition {
  return { at, name }
}

/** Newest first. A payment that was never disputed costs no query. */
export async function disputesOf(
  db: Database,
  payment: Pick<PaymentRow, 'merchant_id' | 'number' | 'dispute'>,
): Promise<DisputeRow[]> {
  const { merchant_id: merchantId, number } = payment
  return payment.dispute === null ? [] : listOfPayment(db, { merchantId, number })
}

/** Of many payments, newest first. */
export async function disputesOfAll(
  db: Database,
  merchantId: number,
  numbers: readonly string[],
): Promise<DisputeRow[]> {
  return numbers.length === 0 ? [] : listOfPayments(db, merchantId, numbers)
}

/** Disputes waiting for the merchant: most urgent first, up to a limit. */
export async function disputesToAnswer(
  db: Database,
  of: { merchantId: number; mode: Mode },
  limit: number,
): Promise<readonly DisputeWithLoss[]> {
  return withLosses(db, of.merchantId, await listToAnswer(db, of, limit))
}

/** Nothing is left to send, and what was refunded is with the bank as well. The newest first. */
export async function losingUnderReview(
  db: Database,
  of: { merchantId: number; mode: Mode },
): Promise<readonly DisputeWithLoss[]> {
  const disputes = await listDisputes(db, { ...of, state: 'under_review', limit: underReviewMax })
  return (await withLosses(db, of.merchantId, disputes)).filter(({ loss }) => loss.lossMinor > 0n)
}

function readStatus(fields: Fields): DisputeState | undefined {
  const value = fields.value('status')
  if (value === undefined) return undefined
  const found = disputeStates.find((state) => state === value)
  return found ?? fields.fail('status', `must be one of ${disputeStates.join(', ')}`)
}
