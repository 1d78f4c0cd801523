import { verify } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Account, CallbackHeaders, Hint } from '../../core/networks/hosted.ts'
import type { PayPalWay } from './client.ts'
import { readCustomId } from './custom-id.ts'

// PayPal signs the time, the webhook's id and a checksum of the body, with the key of a certificate that
// `prepareCallback` fetched. Until the webhook's id is known no callback is accepted: it is what ties a signature to
// this account.

/** A callback that was not received is sent again for three days, with a time of its own each time. */
const toleranceMs = 5 * 60_000

const about: Readonly<Record<string, Hint['about']>> = {
  'CHECKOUT.ORDER.APPROVED': 'order',
  'CHECKOUT.ORDER.COMPLETED': 'order',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': 'order',
  'PAYMENT.CAPTURE.COMPLETED': 'order',
  'PAYMENT.CAPTURE.PENDING': 'order',
  'PAYMENT.CAPTURE.DENIED': 'order',
  'PAYMENT.CAPTURE.DECLINED': 'order',
  'PAYMENT.CAPTURE.REFUNDED': 'refund',
  'PAYMENT.REFUND.PENDING': 'refund',
  'PAYMENT.REFUND.FAILED': 'refund',
  'CUSTOMER.DISPUTE.CREATED': 'dispute',
  'CUSTOMER.DISPUTE.UPDATED': 'dispute',
  'CUSTOMER.DISPUTE.RESOLVED': 'dispute',
}

/** All that a webhook at PayPal has to send us. */
export const callbackEvents = Object.keys(about)

export async function prepareCallback(
  way: PayPalWay,
  account: Account,
  headers: CallbackHeaders,
  signal: AbortSignal,
): Promise<void> {
  const url = headers['paypal-cert-url']
  if (isSignable(account, headers, way.now()) && typeof url === 'string')
    await way.kept.fetch(url, hostOf(way, account), signal)
}

export function readCallback(
  way: PayPalWay,
  account: Account,
  rawBody: Buffer,
  headers: CallbackHeaders,
  now: Date,
): readonly Hint[] | undefined {
  const signed = signedOf(account, headers, rawBody)
  const url = headers['paypal-cert-url']
  if (signed === undefined || typeof url !== 'string' || !isSignable(account, headers, now)) return undefined
  const key = way.kept.keyOf(url, hostOf(way, account), now)
  const signature = String(headers['paypal-transmission-sig'])
  if (!key || !verify('sha256', Buffer.from(signed), key, Buffer.from(signature, 'base64'))) return undefined
  return hintsOf(rawBody)
}

/** A callback that can't be from PayPal costs nothing, not even a certificate. */
function isSignable(account: Account, headers: CallbackHeaders, now: Date): boolean {
  const { 'paypal-transmission-time': time, 'paypal-auth-algo': algorithm } = headers
  if ((account.credentials['webhook_id'] ?? '') === '' || algorithm !== 'SHA256withRSA') return false
  if (typeof time !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z$/.test(time)) return false
  return Math.abs(now.getTime() - Date.parse(time)) <= toleranceMs
}

function signedOf(account: Account, headers: CallbackHeaders, rawBody: Buffer): string | undefined {
  const { 'paypal-transmission-id': id, 'paypal-transmission-time': time } = headers
  if (typeof id !== 'string' || typeof time !== 'string' || id.includes('|')) return undefined
  return `${id}|${time}|${account.credentials['webhook_id'] ?? ''}|${crc32(rawBody)}`
}

function hostOf({ certificates }: PayPalWay, { sandbox }: Account): string {
  return sandbox ? certificates.sandbox : certificates.live
}

type Resource = {
  readonly id?: unknown
  readonly order_id?: unknown
  readonly dispute_id?: unknown
  readonly custom_id?: unknown
  readonly purchase_units?: readonly { readonly custom_id?: unknown }[]
  readonly supplementary_data?: { readonly related_ids?: { readonly order_id?: unknown } }
}

type Event = { readonly id?: unknown; readonly event_type?: unknown; readonly resource?: Resource | null }

function hintsOf(rawBody: Buffer): readonly Hint[] | undefined {
  const { id, event_type, resource } = readEvent(rawBody) ?? {}
  if (typeof id !== 'string' || typeof event_type !== 'string') return undefined
  const subject = Object.hasOwn(about, event_type) ? about[event_type] : undefined
  if (!subject || !resource) return []
  const reference = referenceOf(event_type, subject, resource)
  const names = readCustomId(resource.custom_id ?? resource.purchase_units?.[0]?.custom_id)
  return [{ eventId: id, about: subject, ...(typeof reference === 'string' && { reference }), ...names }]
}

function referenceOf(event: string, subject: Hint['about'], resource: Resource): unknown {
  if (subject === 'dispute') return resource.dispute_id
  if (subject === 'refund' || event.startsWith('CHECKOUT.ORDER.')) return resource.id
  return resource.order_id ?? resource.supplementary_data?.related_ids?.order_id
}

function readEvent(rawBody: Buffer): Event | null | undefined {
  try {
    const event: unknown = JSON.parse(rawBody.toString('utf8'))
    return typeof event === 'object' ? event : undefined
  } catch {
    return undefined
  }
}
