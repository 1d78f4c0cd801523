import { createHash, generateKeyPairSync, sign } from 'node:crypto'

// A passkey without a browser: signs what a site drew, as an authenticator does after a finger or a PIN.

export type Authenticator = {
  readonly id: string
  /** As it is stored: a COSE key. */
  readonly publicKey: Buffer
  /** What a page would send for this challenge. */
  answer(challenge: string, given?: Partial<Shown>): string
}

type Shown = {
  readonly origin: string
  readonly host: string
  readonly counter: number
  /** Whether the person showed a finger or a PIN. */
  readonly isVerified: boolean
}

const presentFlag = 1
const verifiedFlag = 4

export function makeAuthenticator(
  id: string,
  site: { readonly host: string; readonly origin: string },
): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const encoded = Buffer.from(id).toString('base64url')
  return {
    id: encoded,
    publicKey: coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
    answer(challenge, given = {}) {
      const { origin, host, counter, isVerified } = { ...site, counter: 0, isVerified: true, ...given }
      const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }))
      const count = Buffer.alloc(4)
      count.writeUInt32BE(counter)
      const flags = Buffer.from([presentFlag | (isVerified ? verifiedFlag : 0)])
      const data = Buffer.concat([sha256(host), flags, count])
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return JSON.stringify({
        id: encoded,
        rawId: encoded,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      })
    },
  }
}

function sha256(bytes: string | Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** A key of ES256 as CBOR: kty EC2, alg -7, curve P-256, x, y. */
function coseKey(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y])
}
