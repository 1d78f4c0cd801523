import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Account, CallbackHeaders, Hint } from '../../core/networks/hosted.ts'
import { readMetadata } from '../../core/networks/order-metadata.ts'
import { readText } from './metadata.ts'

// Signed with the secret key itself, without a time; events have no ids. What was sent before is known by its bytes, and a
// hint changes nothing by itself.

export function readCallback(
  account: Account,
  rawBody: Buffer,
  headers: CallbackHeaders,
): readonly Hint[] | undefined {
  const secret = account.credentials['secret_key'] ?? ''
  const signature = headers['x-paystack-signature']
  if (secret === '' || typeof signature !== 'string' || !/^[0-9a-f]{128}$/.test(signature)) return undefined
  const expected = createHmac('sha512', secret).update(rawBody).digest()
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), expected)) return undefined
  const event = readEvent(rawBody)
  return event && hintsOf(event, createHash('sha256').update(rawBody).digest('hex').slice(0, 32))
}

type Event = { readonly event: string; readonly data: Readonly<Record<string, unknown>> }

function hintsOf({ event, data }: Event, digest: string): readonly Hint[] {
  const eventId = `${event}/${textOf(data['reference'] ?? data['id'])}/${digest}`.slice(0, 200)
  if (event.startsWith('charge.dispute.')) return [{ eventId, about: 'dispute', ...referenceOf(data['id']) }]
  if (event.startsWith('charge.')) {
    const { reference, metadata } = data
    if (typeof reference !== 'string') return []
    // Our key is the reference, whatever became of the metadata.
    return [
      { eventId, about: 'order', reference, ...readMetadata(readText(metadata)), idempotencyKey: reference },
    ]
  }
  if (event.startsWith('refund.')) return [{ eventId, about: 'refund', ...referenceOf(data['id']) }]
  return []
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 100) : ''
}

function referenceOf(id: unknown): { readonly reference?: string } {
  return typeof id === 'number' || typeof id === 'string' ? { reference: String(id) } : {}
}

function readEvent(rawBody: Buffer): Event | undefined {
  try {
    const { event, data } = JSON.parse(rawBody.toString('utf8')) as Record<string, unknown>
    if (typeof event !== 'string' || typeof data !== 'object' || data === null) return undefined
    return { event, data: data as Event['data'] }
  } catch {
    return undefined
  }
}
