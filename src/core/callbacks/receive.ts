import { createHash } from 'node:crypto'
import type { CallbackHeaders, Hint, HostedConnector } from '../networks/hosted.ts'
import type { StoredAccount } from '../merchants/accounts/stored-accounts.ts'
import { nobody, type NewEvent } from './event-store.ts'
import type { StoreEvents } from './share-writes.ts'

// From the bytes of a callback to stored events. Even a signed callback is only a hint, and metadata it repeats may
// have been written by another program on the same account.

export type Callback = { readonly rawBody: Buffer; readonly headers: CallbackHeaders; readonly now: Date }

export type Signed = { readonly account: StoredAccount; readonly hints: readonly Hint[] }

/** Undefined if no account's secret matches the signature. Makes no calls. */
export function readSigned(
  connector: HostedConnector,
  accounts: readonly StoredAccount[],
  { rawBody, headers, now }: Callback,
): Signed | undefined {
  for (const account of accounts) {
    const hints = connector.readCallback(account, rawBody, headers, now)
    if (hints !== undefined) return { account, hints }
  }
  return undefined
}

/** Where events are stored, and which workers are woken. */
export type CallbackStore = { readonly store: StoreEvents; readonly wakeWorkers: () => void }

/** Returns how many were new. Throws when some could not be stored; the network then sends all of them again. */
export async function storeHints(
  { store, wakeWorkers }: CallbackStore,
  { account, hints }: Signed,
  now: Date,
): Promise<number> {
  const from = { account_id: account.id, connector: account.connector, received_at: now }
  let [fresh, failure]: [number, unknown] = [0, undefined]
  // Merchant by merchant: where one can't be written, as its node of a cluster is away, the others are.
  for (const [merchantId, ofMerchant] of Map.groupBy(hints, (hint) => whoseIs(account, hint))) {
    try {
      const events = ofMerchant.map((hint) => ({ ...from, ...asEvent(hint) }))
      fresh += await store(merchantId, events)
    } catch (error) {
      failure ??= error
    }
  }
  if (fresh > 0) wakeWorkers()
  if (failure !== undefined) throw failure
  return fresh
}

/** A merchant's account speaks of this merchant alone, whatever a hint says. */
function whoseIs({ owner }: StoredAccount, { merchantId = nobody }: Hint): number {
  if (owner !== 'installation') return owner
  return Number.isInteger(merchantId) && merchantId >= 10_000_000 && merchantId <= 99_999_999
    ? merchantId
    : nobody
}

function asEvent(hint: Hint): NewEvent {
  return {
    event_id: storable(hint.eventId) ?? `sha256:${createHash('sha256').update(hint.eventId).digest('hex')}`,
    about: hint.about,
    number: storable(hint.paymentNumber),
    idempotency_key: storable(hint.idempotencyKey),
    reference: storable(hint.reference),
  }
}

const lengthMax = 255

/** An id that no network would send would only make the database refuse the other events in the callback. */
function storable(text: string | undefined): string | null {
  return text !== undefined && text.length <= lengthMax && /^[\x20-\x7e]+$/.test(text) ? text : null
}
