import { makeMerchantBatch } from '../../platform/database/batch.ts'
import type { Database, Queryable } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { limits } from './limits.ts'
import {
  findByNumber,
  findByTxRef,
  listByNumbers,
  type PaymentKey,
  type PaymentRow,
  type TxRefKey,
} from './store.ts'
import type { Mode } from '../merchants/mode.ts'

// Look-ups of a merchant that arrive together share one statement.

export type { PaymentRow, ShownMethod } from './store.ts'

export type FindPayment = (merchantId: number, mode: Mode, txRef: string) => Promise<PaymentRow>

const batchSizeMax = 200
const batchesInFlight = 4

/** Refuses with not_found for an unknown tx_ref, and alike for another merchant's or the other mode's. */
export function makeFindPayment(db: Database): FindPayment {
  const find = makeMerchantBatch<TxRefKey, PaymentRow | undefined>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, keys, tx) => findByTxRef(tx ?? db, merchantId, keys),
    groupOn: db,
  })
  return async (merchantId, mode, txRef) => {
    const payment = couldExist(txRef) ? await find(merchantId, { mode, txRef }) : undefined
    if (!payment) throw new Refusal('not_found', 'Transaction not found')
    return payment
  }
}

/** A NUL would be an error in PostgreSQL, not an answer. */
function couldExist(txRef: string): boolean {
  return txRef.length <= limits.txRef * 2 && !txRef.includes('\0') && txRef.isWellFormed()
}

/** Refuses as a look-up by tx_ref does. */
export async function findPaymentByNumber(db: Queryable, key: PaymentKey, mode: Mode): Promise<PaymentRow> {
  const payment = /^\d{24}$/.test(key.number) ? await findByNumber(db, key, mode) : undefined
  if (!payment) throw new Refusal('not_found', 'Transaction not found')
  return payment
}

/** The existing ones among them, by tx_ref. */
export async function findPayments(
  db: Queryable,
  merchantId: number,
  mode: Mode,
  txRefs: readonly string[],
): Promise<ReadonlyMap<string, PaymentRow>> {
  if (txRefs.length === 0) return new Map() // No test: saves a statement that would do nothing
  const keys = txRefs.map((txRef) => ({ mode, txRef }))
  const found = await findByTxRef(db, merchantId, keys)
  return new Map(found.flatMap((payment) => (payment ? [[payment.tx_ref, payment]] : [])))
}

/** The existing ones among them, by number. */
export async function findPaymentsByNumber(
  db: Queryable,
  merchantId: number,
  mode: Mode,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, PaymentRow>> {
  if (numbers.length === 0) return new Map() // No test: saves a statement that would do nothing
  const found = await listByNumbers(db, merchantId, mode, numbers)
  return new Map(found.map((payment) => [payment.number, payment]))
}
