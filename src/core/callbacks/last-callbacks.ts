import type { Database } from '../../platform/database/database.ts'
import { findLastReceived } from './event-store.ts'

/** When the networks called last, by account; those that never did are left out. */
export async function lastCallbacks(
  db: Database,
  merchantId: number,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const found = new Map<string, Date>()
  for (const id of accountIds) {
    const at = await findLastReceived(db, merchantId, id)
    if (at !== undefined) found.set(id, new Date(at))
  }
  return found
}
