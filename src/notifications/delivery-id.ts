import { randomBase64url } from '../database/random-id.ts'

/** evt: told to the merchant's program, where it is the webhook-id. msg: a mail. */
export function drawDeliveryId(prefix: 'evt' | 'msg'): string {
  return `${prefix}_${randomBase64url(24)}`
}
