import type { Pruning } from '../../privacy/pruning.ts'
import { findMerchantsWithOld } from './prune-look-store.ts'
import { deleteOldMail, emptyOldIpns } from './prune-store.ts'

export const oldNotifications: Pruning = {
  name: 'bodies and tries of notifications',
  findMerchants: async (db, before, max) => findMerchantsWithOld(db, 'ipn', before, max),
  prune: emptyOldIpns,
}

export const oldMail: Pruning = {
  name: 'mail',
  findMerchants: async (db, before, max) => findMerchantsWithOld(db, 'mail', before, max),
  prune: deleteOldMail,
}
