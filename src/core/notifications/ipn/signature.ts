import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

// Two ways to prove that a notification is ours: Standard Webhooks (id, time and body; one signature per valid
// secret), and the plain `Signature`, an HMAC of the raw body keyed with the secret as it is shown.

const prefix = 'whsec_'

export function drawSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

export type Signed = { readonly id: string; readonly body: string; readonly at: Date }

/** `secrets` newest first; more than one while a secret is being rolled. */
export function signatureHeaders(
  signed: Signed,
  secrets: readonly string[],
): Record<string, string> & { readonly signature: string } {
  const [newest] = secrets
  if (newest === undefined) throw new Error('A notification can not be signed without a secret')
  const timestamp = String(Math.floor(signed.at.getTime() / 1000))
  const content = `${signed.id}.${timestamp}.${signed.body}`
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => standardSignature(secret, content)).join(' '),
    signature: createHmac('sha256', newest).update(signed.body).digest('hex'),
  }
}

export type Arrived = {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly now: Date
}

/** As the standard requires: an older one may be a replay. */
const toleranceSeconds = 300

/** What a receiver checks before it accepts a notification. */
export function isSigned({ headers, body, now }: Arrived, secrets: readonly string[]): boolean {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const given = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const content = `${id}.${timestamp}.${body.toString('utf8')}`
  const right = secrets.map((secret) => Buffer.from(standardSignature(secret, content)))
  return given
    .split(' ')
    .slice(0, signaturesMax)
    .map((one) => Buffer.from(one))
    .some((one) => right.some((other) => one.length === other.length && timingSafeEqual(one, other)))
}

const signaturesMax = 10

function standardSignature(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
