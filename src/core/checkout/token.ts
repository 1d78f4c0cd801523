import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'
import { installationSecret } from '../../platform/secrets/installation-secrets.ts'
import type { Mode } from '../merchants/mode.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'

// There are no cookies on the checkout, so a post proves where it came from with a token that only a page of the
// same payment holds. It needs no table of its own: any server makes it again from the number and the shared secret.
// The mode is part of it, and a payment's mode never changes, so a good token of test mode shows that the payment is a
// test payment without reading it.

export type Sign = (text: string) => Promise<string>
export type TokenOf = (digits: string, mode: Mode) => Promise<string>

export function makeSign(db: Database, secrets: Secrets): Sign {
  let key: Promise<KeyObject> | undefined
  async function readKey(): Promise<KeyObject> {
    try {
      return createSecretKey(await installationSecret(db, secrets, 'checkout'))
    } catch (error) {
      key = undefined
      throw error
    }
  }
  return async (text) => {
    key ??= readKey()
    return createHmac('sha256', await key)
      .update(text)
      .digest('base64url')
  }
}

/** A page, its form, what it asks while it waits and the page that follows all need the same one, and signing takes 4 µs. */
const rememberedMax = 1_000

export function makeTokens(sign: Sign): TokenOf {
  const remembered = new Map<string, string>()
  return async (digits, mode) => {
    const text = `${mode} ${digits}`
    const known = remembered.get(text)
    if (known !== undefined) return known // No test: a cache: the result is the same
    const token = await sign(text)
    if (remembered.size >= rememberedMax) remembered.clear() // No test: bounds the memory
    remembered.set(text, token)
    return token
  }
}

export function isSameToken(right: string, given: string): boolean {
  const left = Buffer.from(right)
  const other = Buffer.from(given)
  return left.length === other.length && timingSafeEqual(left, other)
}
