import type { Database } from '../../../database/database.ts'
import type { Mode } from '../../../merchants/mode.ts'
import { listUnknown, type UnknownAttempt } from './unknown-store.ts'

export type { UnknownAttempt }

/** Attempts of which nobody knows whether the network took the money. It is asked until it says; the oldest first. */
export async function listUnknownAttempts(
  db: Database,
  of: { merchantId: number; mode: Mode; limit: number },
): Promise<UnknownAttempt[]> {
  return listUnknown(db, of)
}
