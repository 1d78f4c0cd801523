import { erasedEmail, redactJson } from '../../input/erased.ts'
import type { Pruning } from '../../jobs/pruning.ts'
import type { PersonalRows } from '../../privacy/personal-rows.ts'
import type { RoomData } from '../../privacy/room-data.ts'
import { endpointSecretRows } from '../endpoints/endpoint-secrets.ts'
import { webhookSecretRows } from '../ipn/stored-secret.ts'
import { deleteDeliveriesOf, lockWaiting } from './old-tests-store.ts'
import { forgetAnswers, lockDeliveriesOf, readDeliveries, redactDeliveries } from './personal-store.ts'
import { findMerchantsWithOld } from './prune-look-store.ts'
import { deleteOldMail, emptyOldIpns } from './prune-store.ts'

/**
 * A waiting IPN is still sent, since its merchant must learn about the money, with the same webhook-id and without the
 * person; it is signed when it is sent, so the signature matches. A waiting e-mail to the customer is not.
 */
export const personalDeliveries: PersonalRows = {
  what: 'notifications',
  read: async (db, { merchantId, numbers }) => readDeliveries(db, merchantId, numbers),
  async erase(tx, { merchantId, numbers, email, redact }) {
    const told = await lockDeliveriesOf(tx, merchantId, numbers)
    const replaced = told.map(({ id, kind, state, target, body }) => {
      const isToCustomer = kind === 'mail' && target.toLowerCase() === email.toLowerCase()
      return {
        id,
        target: isToCustomer ? erasedEmail : redact(target),
        body: redactJson(body, redact),
        is_ended: isToCustomer && (state === 'waiting' || state === 'paused'),
      }
    })
    await redactDeliveries(tx, merchantId, replaced)
    await forgetAnswers(
      tx,
      merchantId,
      told.map(({ id }) => id),
    )
    return told.length
  },
}

export const notificationData: RoomData = {
  personal: [personalDeliveries],
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
