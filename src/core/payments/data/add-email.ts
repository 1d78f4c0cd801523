import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { indexAgain } from '../search/index-payments.ts'
import { setEmail } from './personal-store.ts'
import type { PaymentKey } from '../store.ts'

/** Stores the address that the customer typed, for a pending payment without one. */
export async function addEmailAddress(db: Database, key: PaymentKey, email: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await setEmail(tx, key, email)) await indexAgain(tx, key.merchantId, [key.number])
  })
}
