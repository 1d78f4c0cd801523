import type { Pruning } from '../../platform/jobs/pruning.ts'
import { findMerchantsOfOldest } from './audit-look-store.ts'
import { forgetEntries } from './audit-store.ts'

/** The only way an entry of the audit log is deleted: it is old enough. */
export const oldEntries: Pruning = {
  name: 'audit entries',
  findMerchants: findMerchantsOfOldest,
  prune: forgetEntries,
}
