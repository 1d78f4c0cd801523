import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { disputeNames } from './list-disputes.ts'
import { withLosses, type DisputeWithLoss } from './losses.ts'
import { findById, listHistory, type DisputeHistoryRow, type DisputeRow } from './store.ts'

export type { DisputeHistoryRow, DisputeRow, DisputeWithLoss }

/** Refuses with not_found, for another merchant's or the other mode's alike. */
export async function findDispute(
  db: Database,
  of: { merchantId: number; mode: Mode; id: string },
): Promise<DisputeWithLoss> {
  const found = disputeNames.test(of.id) ? await findById(db, of) : undefined
  const [dispute] = found?.mode === of.mode ? await withLosses(db, of.merchantId, [found]) : []
  if (!dispute) throw new Refusal('not_found', 'Dispute not found')
  return dispute
}

/** Its states over time, oldest first. */
export async function historyOf(db: Database, dispute: DisputeRow): Promise<readonly DisputeHistoryRow[]> {
  return listHistory(db, { merchantId: dispute.merchant_id, id: dispute.id })
}
