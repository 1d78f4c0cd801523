import type { Database } from '../database/database.ts'
import { findMerchant } from './store.ts'

/** Who a merchant is to the outside, and where it is told of trouble. */
export async function findContact(
  db: Database,
  merchantId: number,
): Promise<{ name: string; email: string | null } | undefined> {
  const row = await findMerchant(db, merchantId)
  return row && { name: row.name, email: row.email }
}
