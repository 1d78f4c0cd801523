import { erasedEmail, redactJson, redactUrl } from '../../../platform/input/erased.ts'
import type { Customer, PersonalRows } from '../../privacy/personal-rows.ts'
import { eraseFromEndpoints, endpointsNaming } from '../endpoints/erase-from-endpoints.ts'
import { receiverOf } from '../receiver-of.ts'
import {
  forgetAnswers,
  forgetReceivers,
  lockDeliveriesOf,
  lockReceiversOf,
  readDeliveries,
  redactDeliveries,
  type PersonalDelivery,
  type RenamedReceiver,
} from './personal-store.ts'

/**
 * A waiting IPN is still sent, since its merchant must learn about the money, with the same webhook-id and without the
 * person; it is signed when it is sent, so the signature matches. A waiting e-mail to the customer is not.
 */
export const personalDeliveries: PersonalRows = {
  what: 'notifications',
  read: async (db, { merchantId, numbers }) => readDeliveries(db, merchantId, numbers),
  async erase(tx, customer) {
    const { merchantId, numbers, email, redact, redactStrictly } = customer
    const receivers = await lockReceiversOf(tx, merchantId, numbers)
    const told = await lockDeliveriesOf(tx, merchantId, numbers)
    const replaced = told.map((one) => {
      const isToCustomer = one.target.toLowerCase() === email.toLowerCase()
      return {
        id: one.id,
        ...(isToCustomer ? { target: erasedEmail, origin: one.origin } : withoutPerson(one, customer)),
        body: redactJson(one.body, redact),
        is_ended: isToCustomer && (one.state === 'waiting' || one.state === 'paused'),
      }
    })
    await redactDeliveries(tx, merchantId, replaced)
    await forgetAnswers(
      tx,
      merchantId,
      told.map(({ id }) => id),
    )
    const renamed = new Map(told.map((one, place) => [nameOf(one), replaced[place]?.origin ?? one.origin]))
    await forgetReceivers(
      tx,
      merchantId,
      receivers.map((one): RenamedReceiver => {
        const ofPerson = customer.isWholePerson ? redactUrl(one.origin, redactStrictly) : one.origin
        return { ...one, renamed: renamed.get(nameOf(one)) ?? ofPerson }
      }),
    )
    return told.length
  },
}

/** An endpoint is called for every customer: parts of a name stay in its URL. */
function withoutPerson(
  { kind, target, origin, endpoint_id: endpointId }: PersonalDelivery,
  { redact, redactStrictly }: Customer,
): { target: string; origin: string } {
  if (kind === 'mail') return { target, origin }
  const redacted = redactUrl(target, endpointId === null ? redact : redactStrictly)
  if (redacted === target) return { target, origin }
  return { target: redacted, origin: endpointId === null ? receiverOf(redacted) : redacted }
}

function nameOf({ mode, origin }: { readonly mode: string; readonly origin: string }): string {
  return `${mode} ${origin}`
}

export const personalEndpoints: PersonalRows = {
  what: 'endpoints',
  read: async (db, customer) => (customer.isWholePerson ? endpointsNaming(db, customer) : []),
  erase: async (tx, customer) => (customer.isWholePerson ? eraseFromEndpoints(tx, customer) : 0),
}
