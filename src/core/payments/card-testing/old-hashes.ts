import type { Pruning } from '../../../platform/jobs/pruning.ts'
import { forgetHashes } from './decline-store.ts'
import { findMerchantsToForget } from './forget-look-store.ts'

/** Hashes of addresses and cards, a day after their last decline. */
export const oldHashes: Pruning = {
  name: 'hashes of cards',
  everyMs: 600_000,
  findMerchants: findMerchantsToForget,
  prune: forgetHashes,
}
