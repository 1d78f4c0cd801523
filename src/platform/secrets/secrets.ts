import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keyIdBytes, type SecretsKey } from './secrets-key.ts'

// Secrets that Florin must be able to read again (to sign with them, to call a network with them) are sealed before they
// are stored: a copy of the database then holds nothing to sign or to pay with. A sealed value is bound to its place, so
// that who may write to the database can't put one merchant's secret into the row of another, and begins with the id of
// its key, so that two keys can be in use while one replaces the other.
//
//   1 byte   version, 1
//   8 bytes  id of the key
//  12 bytes  nonce, random
//   n bytes  AES-256-GCM of the secret
//  16 bytes  tag, which covers all before it and the place

/** The place of a sealed value. `key`: its row's key, the merchant first; a secret never fits a second place. */
export type Place = { readonly table: string; readonly key: string; readonly purpose: string }

export type Secrets = {
  /** The key that new values are sealed under. */
  readonly keyId: string
  /** Every key that can open something: the current one, then others. */
  readonly keyIds: readonly string[]
  seal(place: Place, plain: Buffer): Buffer
  /** Throws Unsealable, which says why, when it is not what was sealed for this place. */
  open(place: Place, sealed: Buffer): Buffer
  /** From now on new values are sealed under this key; false when it is not one of ours. */
  sealUnder(keyId: string): boolean
  /** One more key that opens what it sealed, as when the file of keys was read again. */
  accept(key: SecretsKey): void
}

/** A value that can't be opened. The message names the place and never the value. */
export class Unsealable extends Error {}

const version = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + keyIdBytes + nonceBytes

/** `current` seals; `others` are for what was sealed before, while keys are rotated. */
export function makeSecrets(current: SecretsKey, others: readonly SecretsKey[] = []): Secrets {
  const keys = new Map([current, ...others].map((key) => [key.id, key]))
  let sealing = current

  return {
    get keyId() {
      return sealing.id
    },
    get keyIds() {
      return [sealing.id, ...[...keys.keys()].filter((id) => id !== sealing.id)]
    },
    seal(place, plain) {
      const nonce = randomBytes(nonceBytes)
      const head = Buffer.concat([Buffer.from([version]), Buffer.from(sealing.id, 'hex'), nonce])
      const cipher = createCipheriv('aes-256-gcm', sealing.cipherKey, nonce).setAAD(boundTo(head, place))
      return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(place, sealed) {
      const keyId = keyIdOf(sealed)
      if (keyId === undefined) throw unsealable(place, 'is not an encrypted value')
      const key = keys.get(keyId)
      if (!key) throw unsealable(place, `is encrypted with the key ${keyId}, which is not set`)
      const head = sealed.subarray(0, headBytes)
      const opener = createDecipheriv('aes-256-gcm', key.cipherKey, head.subarray(1 + keyIdBytes), {
        authTagLength: tagBytes,
      })
      opener.setAAD(boundTo(head, place)).setAuthTag(sealed.subarray(-tagBytes))
      try {
        return Buffer.concat([opener.update(sealed.subarray(headBytes, -tagBytes)), opener.final()])
      } catch {
        throw unsealable(place, 'was changed, or was encrypted for another row')
      }
    },
    sealUnder(keyId) {
      const key = keys.get(keyId)
      if (key) sealing = key
      return key !== undefined
    },
    accept(key) {
      keys.set(key.id, key)
    },
  }
}

/** The id of the key that a value is sealed under; undefined when it is no sealed value. */
export function keyIdOf(sealed: Buffer): string | undefined {
  if (sealed.length < headBytes + tagBytes || sealed[0] !== version) return undefined
  return sealed.subarray(1, 1 + keyIdBytes).toString('hex')
}

/** As JSON, in which no two places read the same, whatever characters their names have. */
function boundTo(head: Buffer, { table, key, purpose }: Place): Buffer {
  return Buffer.concat([head, Buffer.from(JSON.stringify([table, key, purpose]))])
}

function unsealable({ table, key, purpose }: Place, why: string): Unsealable {
  return new Unsealable(`The ${purpose} ${key} in ${table} can't be decrypted: it ${why}`)
}
