import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Account, CallbackHeaders, Hint } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import { savedMark } from './saved.ts'

// Checked by hand, as it is twelve lines, needs no SDK in memory, and the SDK takes a time in the future.

const toleranceSeconds = 300

const about: Readonly<Record<string, Hint['about']>> = {
  'checkout.session.completed': 'order',
  'checkout.session.async_payment_succeeded': 'order',
  'checkout.session.async_payment_failed': 'order',
  'checkout.session.expired': 'order',
  'refund.created': 'refund',
  'refund.updated': 'refund',
  'refund.failed': 'refund',
  'charge.dispute.created': 'dispute',
  'charge.dispute.updated': 'dispute',
  'charge.dispute.closed': 'dispute',
  'charge.dispute.funds_withdrawn': 'dispute',
  'charge.dispute.funds_reinstated': 'dispute',
  'payment_intent.succeeded': 'order',
  'payment_intent.payment_failed': 'order',
  'payment_intent.canceled': 'order',
  'payout.created': 'payout',
  'payout.updated': 'payout',
  'payout.paid': 'payout',
  'payout.failed': 'payout',
  'payout.canceled': 'payout',
  'payout.reconciliation_completed': 'payout',
}

/** All that a callback endpoint at Stripe sends us if we make it. */
export const callbackEvents = Object.keys(about)

/** Endpoints from before cards were saved lack the others; a charge is then asked about by the schedule. */
export const neededEvents = callbackEvents.filter((event) => !isOfIntent(event))

function isOfIntent(event: string): boolean {
  return event.startsWith('payment_intent.')
}

export function readCallback(
  account: Account,
  rawBody: Buffer,
  headers: CallbackHeaders,
  now: Date,
): readonly Hint[] | undefined {
  const secret = account.credentials['webhook_secret'] ?? ''
  const header = headers['stripe-signature']
  if (secret === '' || typeof header !== 'string') return undefined
  if (!isSigned(rawBody, header, secret, now)) return undefined
  return hintsOf(rawBody, account.sandbox)
}

/** `t=…,v1=…,v1=…`: two while a secret is replaced by another. */
function isSigned(rawBody: Buffer, header: string, secret: string, now: Date): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const time = parts.find(([key]) => key === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time)) return false
  if (Math.abs(now.getTime() / 1_000 - Number(time)) > toleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest()
  return parts.some(([key, value = '']) => {
    if (key !== 'v1' || !/^[0-9a-f]{64}$/.test(value)) return false
    return timingSafeEqual(Buffer.from(value, 'hex'), expected)
  })
}

type Event = {
  readonly id?: unknown
  readonly type?: unknown
  readonly livemode?: unknown
  readonly data?: { readonly object?: { readonly id?: unknown; readonly metadata?: unknown } | null } | null
}

function hintsOf(rawBody: Buffer, sandbox: boolean): readonly Hint[] | undefined {
  const event = readEvent(rawBody)
  if (typeof event?.id !== 'string' || typeof event.type !== 'string') return undefined
  const subject = Object.hasOwn(about, event.type) ? about[event.type] : undefined
  const { id: reference, metadata } = event.data?.object ?? {}
  // Of all other intents their session tells.
  if (isOfIntent(event.type) && !isOfSaved(metadata)) return []
  if (!subject || typeof reference !== 'string' || event.livemode === sandbox) return []
  return [{ eventId: event.id, about: subject, reference, ...readMetadata(metadata) }]
}

function isOfSaved(metadata: unknown): boolean {
  return typeof metadata === 'object' && metadata !== null && savedMark in metadata
}

function readEvent(rawBody: Buffer): Event | null | undefined {
  try {
    return JSON.parse(rawBody.toString('utf8')) as Event | null
  } catch {
    return undefined
  }
}
