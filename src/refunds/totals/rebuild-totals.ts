import type { Database } from '../../database/database.ts'
import { rebuildTotals as rebuild } from '../../payments/daily-totals/rebuild-totals.ts'
import { sumRefunds } from './total-store.ts'

/** Rebuilds a merchant's daily totals from payments and refunds while both continue. */
export async function rebuildTotals(db: Database, merchantId: number, testsGoneBefore?: Date): Promise<void> {
  await rebuild(db, merchantId, async (tx) => sumRefunds(tx, merchantId), testsGoneBefore)
}
