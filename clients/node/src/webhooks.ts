import { SignatureError } from './errors.ts'
import type { WebhookEvent } from './types.ts'

// Signed notifications. Only WebCrypto, so that it runs in Node, Bun, Deno and workers alike.

export type VerifyOptions = {
  /** How old a call may be, in seconds. 300 by default. */
  readonly toleranceSeconds?: number
  /**
   * `standard` checks the webhook-signature header (Standard Webhooks), with its time. `signature` checks the plain Signature header, which has no time: an
   * old call that someone recorded passes too.
   */
  readonly scheme?: 'standard' | 'signature'
  readonly now?: Date
}

type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the event, or throws a SignatureError. Newer servers may send events that the type doesn't know: ignore those. `body` is the request body exactly as it arrived. */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secret: string,
  { toleranceSeconds = 300, scheme = 'standard', now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const read = (name: string): string => headerOf(headers, name)
  if (scheme === 'signature') {
    if (!sameText(read('signature'), await hexSignature(text, secret)))
      throw new SignatureError('The Signature header does not match the body and this secret')
    return JSON.parse(text) as WebhookEvent
  }
  const id = read('webhook-id')
  const timestamp = read('webhook-timestamp')
  const signature = read('webhook-signature')
  const expected = await standardSignature(`${id}.${timestamp}.${text}`, secret)
  // While a secret is rolled there are two.
  if (!signature.split(' ').some((one) => sameText(one, expected)))
    throw new SignatureError(
      'No signature matches the body and this secret. Verify the body as it arrived, before parsing it',
    )
  const ageSeconds = now.getTime() / 1000 - Number(timestamp)
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new SignatureError(
      `The call is ${Math.round(ageSeconds)} s old, more than the ${toleranceSeconds} s allowed`,
    )
  return JSON.parse(text) as WebhookEvent
}

export type SignedWebhook = { readonly body: string; readonly headers: Record<string, string> }

/** A signed call as Florin would send it, to test your receiver with. */
export async function signWebhook(
  event: object,
  secret: string,
  {
    id = `evt_${crypto.randomUUID().replaceAll('-', '')}`,
    now = new Date(),
  }: { id?: string; now?: Date } = {},
): Promise<SignedWebhook> {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': await standardSignature(`${id}.${timestamp}.${body}`, secret),
      signature: await hexSignature(body, secret),
    },
  }
}

function headerOf(headers: HeadersLike, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (value === undefined || value === null) throw new SignatureError(`The ${name} header is missing`)
  return typeof value === 'string' ? value : value.join(' ')
}

async function standardSignature(signed: string, secret: string): Promise<string> {
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))
    throw new SignatureError('A webhook secret starts with whsec_ and goes on in base64')
  const key = Uint8Array.from(atob(secret.slice('whsec_'.length)), (letter) => letter.charCodeAt(0))
  return `v1,${btoa(String.fromCharCode(...(await hmac(signed, key))))}`
}

async function hexSignature(body: string, secret: string): Promise<string> {
  const bytes = await hmac(body, new TextEncoder().encode(secret))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function hmac(text: string, secret: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)))
}

/** Takes as long wherever the two differ. */
function sameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < other.length; at += 1) difference |= (one.charCodeAt(at) || 0) ^ other.charCodeAt(at)
  return difference === 0
}
