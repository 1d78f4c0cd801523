import type { Queryable } from '../../../platform/database/database.ts'
import { listByReferences, listRefs } from './book-store.ts'

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

/** The merchant's references of refunds, by our ids. */
export async function findRefundRefs(
  db: Queryable,
  merchantId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map() // No test: saves a statement that would do nothing
  const rows = await listRefs(db, merchantId, ids)
  return new Map(rows.map(({ id, refund_ref }) => [id, refund_ref]))
}
