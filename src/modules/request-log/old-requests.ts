import type { Pruning } from '../../platform/jobs/pruning.ts'
import { findMerchantsToPrune } from './prune-look-store.ts'
import { deleteRequestsBefore, type LoggedMode } from './request-store.ts'

const rowsPerLook = 10_000
const modes: readonly LoggedMode[] = ['test', 'live', 'none']

export const oldRequests: Pruning = {
  name: 'requests',
  everyMs: 600_000,
  /** A statement of some milliseconds: nothing else waits for it. */
  atOnce: 1_000,
  findMerchants: async (db, before) => findMerchantsToPrune(db, before, rowsPerLook),
  async prune(db, merchantId, before, max) {
    let count = 0
    for (const mode of modes) count += await deleteRequestsBefore(db, { merchantId, mode }, before, max)
    return count
  },
}
