import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { presentRefund } from './present.ts'
import {
  findById,
  findByRef,
  findReserved,
  listHistory,
  listOfPayments,
  type RefundHistoryRow,
  type RefundRow,
} from './store.ts'

export type { RefundHistoryRow, RefundRow } from './store.ts'

const refMax = 255 // No test: any length near it will do, as no stored reference is longer
const refundNames = /^rfd_[0-9A-Za-z]{16}$/

/** With its history. Refuses with not_found, for another merchant's or the other mode's alike. */
export async function findRefund(
  db: Database,
  of: { merchantId: number; mode: Mode; refundRef: string },
): Promise<ReturnType<typeof presentRefund>> {
  const refund = couldExist(of.refundRef) ? await findByRef(db, of) : undefined
  if (!refund) throw new Refusal('not_found', 'Refund not found')
  return presentRefund(refund, await listHistory(db, { merchantId: of.merchantId, id: refund.id }))
}

/** In the order in which they were asked for. A payment without any costs no query. */
export async function refundsOf(
  db: Database,
  payment: { readonly merchant_id: number; readonly number: string; readonly refunds: number },
): Promise<RefundRow[]> {
  return payment.refunds === 0 ? [] : listOfPayments(db, payment.merchant_id, [payment.number])
}

/** Of many payments, newest first. */
export async function refundsOfAll(
  db: Database,
  merchantId: number,
  numbers: readonly string[],
): Promise<RefundRow[]> {
  if (numbers.length === 0) return []
  const refunds = await listOfPayments(db, merchantId, numbers)
  return refunds.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1))
}

export type RefundWithHistory = { readonly refund: RefundRow; readonly history: readonly RefundHistoryRow[] }

/** As `refundsOf`, with what became of each. */
export async function refundsWithHistory(
  db: Database,
  payment: Parameters<typeof refundsOf>[1],
): Promise<RefundWithHistory[]> {
  const refunds = await refundsOf(db, payment)
  return Promise.all(
    refunds.map(async (refund) => ({
      refund,
      history: await listHistory(db, { merchantId: payment.merchant_id, id: refund.id }),
    })),
  )
}

/** What can still be refunded: the amount paid, minus refunds done or in progress. */
export async function leftToRefund(
  db: Database,
  payment: { readonly merchant_id: number; readonly number: string; readonly amount_minor: bigint },
): Promise<bigint> {
  const { merchant_id: merchantId, number } = payment
  return payment.amount_minor - (await findReserved(db, { merchantId, number }))
}

/** By our own id, with its history. */
export async function readRefund(
  db: Database,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<{ readonly refund: RefundRow; readonly history: readonly RefundHistoryRow[] }> {
  const refund = refundNames.test(of.id) ? await findById(db, of) : undefined
  if (refund?.mode !== of.mode) throw new Refusal('not_found', 'Refund not found')
  return { refund, history: await listHistory(db, of) }
}

/** A NUL would be an error in PostgreSQL, not an answer. */
function couldExist(refundRef: string): boolean {
  const isShort = refundRef.length <= refMax * 2 // No test: any limit near it will do
  return isShort && !refundRef.includes('\0') && refundRef.isWellFormed()
}
