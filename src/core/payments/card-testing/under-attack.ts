import type { Database } from '../../../platform/database/database.ts'
import type { Mode } from '../../merchants/mode.ts'
import { findAttacks } from './decline-store.ts'

/** Whether stolen cards are being tested on this merchant's pages right now. */
export async function isUnderAttack(
  db: Database,
  of: { merchantId: number; mode: Mode; now: Date },
): Promise<boolean> {
  return (await findAttacks(db, of.merchantId, of.now)).includes(of.mode)
}
