import { randomBase64url } from '../database/random-id.ts'

/** evt: told to the merchant's program, where it is the webhook-id. msg: a mail. */
export function drawDeliveryId(prefix: 'evt' | 'msg'): string {
  return `${prefix}_${randomBase64url(24)}`
}

/** One event has one webhook-id, however many endpoints hear of it: theirs is the same id, followed by a dot and the endpoint. */
export function webhookId(deliveryId: string): string {
  return deliveryId.split('.')[0] ?? deliveryId
}
