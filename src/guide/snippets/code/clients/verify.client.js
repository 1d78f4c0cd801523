import { verifyWebhook } from 'florin-client'

/** rawBody: the bytes as they came. Returns the event, or undefined if the call can't be trusted. */
export async function readNotification(rawBody, headers, secret) {
  try {
    return await verifyWebhook(rawBody, headers, secret)
  } catch {
    return undefined // a SignatureError says why
  }
}
