import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto'

// A key that seals secrets is 32 random bytes, written in base64 as in SECRETS_KEY. The encryption key and the id are
// derived from it separately, so the id, which is in the database, reveals nothing about the key.

export type SecretsKey = {
  /** The key's id, for people and as the prefix of what it sealed. */
  readonly id: string
  readonly cipherKey: KeyObject
}

const keyBytes = 32
export const keyIdBytes = 8

export function drawSecretsKey(): string {
  return randomBytes(keyBytes).toString('base64')
}

/** Undefined when the text is not 32 bytes in base64. */
export function readSecretsKey(text: string): SecretsKey | undefined {
  const trimmed = text.trim()
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return undefined
  const key = Buffer.from(trimmed, 'base64')
  return key.length === keyBytes ? secretsKeyOf(key) : undefined
}

function secretsKeyOf(key: Buffer): SecretsKey {
  return {
    id: derive(key, 'florin secrets key id', keyIdBytes).toString('hex'),
    cipherKey: createSecretKey(derive(key, 'florin secrets cipher', 32)),
  }
}

function derive(key: Buffer, name: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), name, bytes))
}
