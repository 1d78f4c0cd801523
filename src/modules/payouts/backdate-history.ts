import type { Database } from '../../platform/database/database.ts'
import { backdateHistory as backdate } from './payout-store.ts'

/** In test mode: payouts made before then say that they arrived soon after they were made, not when they were copied. */
export async function backdateHistory(
  db: Database,
  of: { readonly merchantId: number; readonly before: Date; readonly afterMs: number },
): Promise<void> {
  await backdate(db, of)
}
