import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { shareSecret } from './store.ts'

// There are no cookies on the checkout, so a post proves where it came from with a token that only a page of the
// same payment holds. It needs no table of its own: any server makes it again from the number and the shared secret.

export function makeTokens(db: Database): (digits: string) => Promise<string> {
  let key: KeyObject | undefined
  return async (digits) => {
    key ??= createSecretKey(await shareSecret(db, 'checkout', randomBytes(32)))
    return createHmac('sha256', key).update(digits).digest('base64url')
  }
}

export function isSameToken(right: string, given: string): boolean {
  const left = Buffer.from(right)
  const other = Buffer.from(given)
  return left.length === other.length && timingSafeEqual(left, other)
}
