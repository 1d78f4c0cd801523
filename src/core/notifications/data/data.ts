import type { Pruning } from '../../../platform/jobs/pruning.ts'
import type { RoomData } from '../../privacy/room-data.ts'
import { endpointSecretRows } from '../endpoints/endpoint-secrets.ts'
import { webhookSecretRows } from '../ipn/stored-secret.ts'
import { deleteDeliveriesOf, lockWaiting } from './old-tests-store.ts'
import { personalDeliveries, personalEndpoints } from './personal.ts'
import { findMerchantsWithOld } from './prune-look-store.ts'
import { deleteOldMail, emptyOldIpns } from './prune-store.ts'

export const notificationData: RoomData = {
  personal: [personalEndpoints, personalDeliveries],
  // Deliveries waiting for a paused receiver are deleted with the rest: no one missed them for as long as tests are
  // kept.
  tests: { findOpen: lockWaiting, delete: deleteDeliveriesOf },
  sealed: [webhookSecretRows, endpointSecretRows],
}

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
