import type { Database } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import type { Mode } from '../merchants/mode.ts'
import { disputeNames } from './list-disputes.ts'
import { findById, type DisputeRow } from './store.ts'

/** Refuses with not_found, for another merchant's or the other mode's alike. */
export async function findDispute(
  db: Database,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<DisputeRow> {
  const found = disputeNames.test(of.id) ? await findById(db, of) : undefined
  if (found?.mode !== of.mode) throw new Refusal('not_found', 'Dispute not found')
  return found
}
