import { makeKeyRing, type KeyRing } from '../../src/platform/secrets/key-ring.ts'
import { readSecretsKey } from '../../src/platform/secrets/secrets-key.ts'
import type { Secrets } from '../../src/platform/secrets/secrets.ts'

/** The key of every database that a test makes, unless it is about keys. */
export const testSecretsKey = 'Zm9yIHRlc3RzLCBhbmQgZm9yIG5vdGhpbmcgZWxzZSE='

export function testKeyRing(text = testSecretsKey): KeyRing {
  return makeKeyRing(() => [readSecretsKey(text)].filter((key) => key !== undefined))
}

export const testSecrets: Secrets = testKeyRing().secrets
