import { randomBase62 } from '../database/random-id.ts'

// A form key that takes signed forms has a secret of its own, which the merchant's program signs with. It is shown once.
// Florin has to compute with it, so it can't be kept as a hash. How it stands in the table is known to these two alone.

const prefix = 'fsec_'

/** 43 characters of base62 are 256 bits. */
export function drawFormSecret(): string {
  return prefix + randomBase62(43)
}

export function storedFormSecret(secret: string): string {
  return secret
}

export function readFormSecret(stored: string): string {
  return stored
}
