import type { Pruning } from '../jobs/pruning.ts'
import { findMerchantsWithEndedEvents } from './due-look-store.ts'
import { deleteEnded } from './event-store.ts'

/** One that comes again after it was deleted is asked about once more, which does no harm. */
export const oldEvents: Pruning = {
  name: 'callbacks of networks',
  findMerchants: async (db, before, max) => findMerchantsWithEndedEvents(db, { before, max }),
  prune: deleteEnded,
}
