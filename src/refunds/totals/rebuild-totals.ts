import type { Database } from '../../database/database.ts'
import { rebuildTotals as rebuild } from '../../payments/daily-totals/rebuild-totals.ts'
import { sumRefunds } from './total-store.ts'

/** The totals of a merchant's days, made anew of payments and refunds while both go on. */
export async function rebuildTotals(db: Database, merchantId: number, testsGoneBefore?: Date): Promise<void> {
  await rebuild(db, merchantId, async (tx) => sumRefunds(tx, merchantId), testsGoneBefore)
}
