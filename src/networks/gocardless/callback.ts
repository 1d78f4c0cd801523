import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Account, CallbackHeaders, Hint } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'

// One call brings up to 250 events. The signature has no timestamp, so an old call can be replayed: events are
// remembered by their ids, and a hint changes nothing by itself.

export function readCallback(
  account: Account,
  rawBody: Buffer,
  headers: CallbackHeaders,
): readonly Hint[] | undefined {
  const secret = account.credentials['webhook_secret'] ?? ''
  const signature = headers['webhook-signature']
  if (secret === '' || typeof signature !== 'string' || !/^[0-9a-f]{64}$/.test(signature)) return undefined
  const expected = createHmac('sha256', secret).update(rawBody).digest()
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), expected)) return undefined
  return readEvents(rawBody)?.flatMap(hintOf)
}

type Event = {
  readonly id?: unknown
  readonly resource_type?: unknown
  readonly action?: unknown
  readonly links?: Readonly<Record<string, unknown>>
  readonly resource_metadata?: unknown
}

/** For a payment, GoCardless doesn't send the id of its billing request, but our own ids are included. */
const subjects: Readonly<Record<string, { about: Hint['about']; link?: string }>> = {
  billing_requests: { about: 'order', link: 'billing_request' },
  payments: { about: 'order' },
  refunds: { about: 'refund', link: 'refund' },
  payouts: { about: 'payout', link: 'payout' },
  mandates: { about: 'method', link: 'mandate' },
}

/** What else is told of a mandate changes nothing here. */
const ends = new Set(['cancelled', 'failed', 'expired', 'consumed', 'blocked'])

/** A debit that was paid may come back; one that fails before it was paid is asked about as an order, too. */
const comesBack = new Set(['charged_back', 'chargeback_cancelled', 'failed', 'late_failure_settled'])

function hintOf(event: Event | null): Hint[] {
  const { id, resource_type, action, links, resource_metadata } = event ?? {}
  if (typeof id !== 'string' || typeof resource_type !== 'string') return []
  const subject = Object.hasOwn(subjects, resource_type) ? subjects[resource_type] : undefined
  if (!subject || (subject.about === 'method' && !isIn(ends, action))) return []
  const names = readMetadata(resource_metadata)
  const hint = { eventId: id, about: subject.about, ...referenceOf(links?.[subject.link ?? '']), ...names }
  const isBack = resource_type === 'payments' && isIn(comesBack, action)
  const dispute = {
    eventId: `${id}/back`,
    about: 'dispute',
    ...referenceOf(links?.['payment']),
    ...names,
  } as const
  return isBack ? [hint, dispute] : [hint]
}

function isIn(actions: ReadonlySet<string>, action: unknown): boolean {
  return typeof action === 'string' && actions.has(action)
}

function referenceOf(reference: unknown): { readonly reference?: string } {
  return typeof reference === 'string' ? { reference } : {}
}

function readEvents(rawBody: Buffer): readonly (Event | null)[] | undefined {
  try {
    const { events } = JSON.parse(rawBody.toString('utf8')) as { events?: unknown }
    return Array.isArray(events) ? (events as (Event | null)[]) : undefined
  } catch {
    return undefined
  }
}
