import { randomBase64url } from '../../platform/database/random-id.ts'

/** evt: told to the merchant's program, where it is the webhook-id. msg: a mail. */
export function drawDeliveryId(prefix: 'evt' | 'msg'): string {
  return `${prefix}_${randomBase64url(24)}`
}

/**
 * One event has one webhook-id for all its endpoints: a delivery to an endpoint has that id, followed by a dot and the
 * endpoint's.
 */
export function webhookId(deliveryId: string): string {
  return deliveryId.split('.')[0] ?? deliveryId
}
