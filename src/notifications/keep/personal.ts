import { erasedEmail, redactJson } from '../../input/erased.ts'
import type { PersonalRows } from '../../privacy/personal-rows.ts'
import { forgetAnswers, lockDeliveriesOf, readDeliveries, redactDeliveries } from './personal-store.ts'

/**
 * An IPN that waits is still sent, since its merchant has to hear of the money, with the same webhook-id and without the
 * person; it is signed when it is sent, so the signature fits. A mail to the customer that waits is not.
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
