import type { Database } from '../database/database.ts'
import type { Mode } from '../merchants/mode.ts'
import { listEvidenceDue, type DisputeRow } from './store.ts'

/** Disputes that the merchant has to answer, the one with the least time left first. */
export async function listDueDisputes(
  db: Database,
  of: { merchantId: number; mode: Mode; limit: number },
): Promise<DisputeRow[]> {
  return listEvidenceDue(db, of)
}
