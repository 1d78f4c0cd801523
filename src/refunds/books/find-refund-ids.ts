import type { Queryable } from '../../database/database.ts'
import { listByReferences } from './book-store.ts'

export type BookedRefund = { readonly id: string; readonly number: string }

/** Our refunds, by the network's names for them. */
export async function findRefundIds(
  db: Queryable,
  merchantId: number,
  references: readonly string[],
): Promise<ReadonlyMap<string, BookedRefund>> {
  if (references.length === 0) return new Map() // No test: saves a statement that would do nothing
  const rows = await listByReferences(db, merchantId, references)
  return new Map(rows.map(({ refund_reference, ...refund }) => [refund_reference, refund]))
}
