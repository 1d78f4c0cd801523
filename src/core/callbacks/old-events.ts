import type { Pruning } from '../../platform/jobs/pruning.ts'
import { findMerchantsWithEndedEvents } from './due-look-store.ts'
import { deleteEnded } from './event-store.ts'

/** An event that arrives again after it was deleted is looked up once more, which does no harm. */
export const oldEvents: Pruning = {
  name: 'callbacks of networks',
  findMerchants: async (db, before, max) => findMerchantsWithEndedEvents(db, { before, max }),
  prune: deleteEnded,
}
