import { createHmac, randomBytes } from 'node:crypto'

// Two ways to prove that a notification is ours: Standard Webhooks (id, time and body; one signature per valid
// secret), and the plain `Signature`, an HMAC of the raw body keyed with the secret as it is shown.

const prefix = 'whsec_'

export function drawSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}

export type Signed = { readonly id: string; readonly body: string; readonly at: Date }

/** `secrets` newest first; more than one while a secret is being rolled. */
export function signatureHeaders(signed: Signed, secrets: readonly string[]): Record<string, string> {
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

function standardSignature(secret: string, content: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}
