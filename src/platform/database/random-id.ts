import { randomFillSync } from 'node:crypto'

// Random text from the system's source, drawn in pages: a call to the source per letter was the largest single cost of
// a create after parsing (4 % of the server's time), and even one call per text takes 6 µs, where this takes half of one.

export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base64urlAlphabet = `${base62Alphabet}-_`

const page = Buffer.alloc(4096)
let used = page.length

export function randomBase62(length: number): string {
  return randomText(base62Alphabet, length)
}

/** Six bits of chance in each letter. */
export function randomBase64url(length: number): string {
  return randomText(base64urlAlphabet, length)
}

/** Four bits of chance in each letter. */
export function randomHex(length: number): string {
  return randomText('0123456789abcdef', length)
}

export function randomDigits(length: number): string {
  return randomText('0123456789', length)
}

export function randomText(alphabet: string, length: number): string {
  // Bytes beyond the last whole multiple of the alphabet's length are skipped: its first letters would be likelier.
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < limit) text += alphabet[byte % alphabet.length]
  }
  return text
}

function randomByte(): number {
  if (used === page.length) {
    randomFillSync(page)
    used = 0
  }
  const byte = page[used] as number
  // Returned bytes aren't kept: a memory dump must not show ids that are in use.
  page[used] = 0
  used += 1
  return byte
}
