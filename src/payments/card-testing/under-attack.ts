import type { Database } from '../../database/database.ts'
import type { Mode } from '../../merchants/mode.ts'
import { findAttacks } from './decline-store.ts'

/** Whether somebody tries stolen cards on this merchant's pages at the moment. */
export async function isUnderAttack(
  db: Database,
  of: { merchantId: number; mode: Mode; now: Date },
): Promise<boolean> {
  return (await findAttacks(db, of.merchantId, of.now)).includes(of.mode)
}
