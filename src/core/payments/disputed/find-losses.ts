import type { Queryable } from '../../../platform/database/database.ts'
import { findPaidBack } from './disputed-store.ts'
import { lossOf, type Loss } from './loss.ts'

export type { Loss }

/** By the number of the payment. Of no payments costs no query. */
export async function findLosses(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Loss>> {
  if (numbers.length === 0) return new Map()
  const payments = await findPaidBack(db, merchantId, [...new Set(numbers)])
  return new Map(payments.map((payment) => [payment.number, lossOf(payment)]))
}
