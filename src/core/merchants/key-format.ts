import type { Mode } from './mode.ts'
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base62Alphabet as alphabet, randomBase62 } from '../../platform/database/random-id.ts'

// A key: `sk_test_` + 32 base62 characters + a 6-character checksum. The first five of the 32 spell the merchant's
// number, the other 27 are random (160 bits). A mistyped key fails its checksum, so it never costs a query.

export type KeyKind = 'secret' | 'form' | 'api'
/** `family`: for a plugin or program that was written for PayChangu, Chapa or a script of that family. */
export const dialects = ['florin', 'family'] as const
export type Dialect = (typeof dialects)[number]

export type KeyParts = {
  readonly kind: KeyKind
  readonly mode: Mode | undefined
  readonly merchantId: number
}

const shape = /^(sk|fk)_(test|live)_([0-9A-Za-z]{38})$|^ak_([0-9A-Za-z]{38})$/
const merchantLength = 5
const randomLength = 27
const checksumLength = 6

export function makeKey(kind: KeyKind, mode: Mode | undefined, merchantId: number): string {
  const body = base62(merchantId, merchantLength) + randomBase62(randomLength)
  const unsigned = prefix(kind, mode) + body
  return unsigned + checksum(unsigned)
}

/** Undefined when the text is not a key that Florin could have made. */
export function readKey(text: string): KeyParts | undefined {
  const match = shape.exec(text)
  if (!match) return undefined
  const unsigned = text.slice(0, -checksumLength)
  if (checksum(unsigned) !== text.slice(-checksumLength)) return undefined
  const merchantId = fromBase62((match[3] ?? match[4] ?? '').slice(0, merchantLength))
  if (match[1] === undefined) return { kind: 'api', mode: undefined, merchantId }
  return { kind: match[1] === 'sk' ? 'secret' : 'form', mode: match[2] as Mode, merchantId }
}

/** In hexadecimal. */
export function hashKey(text: string): string {
  return hash('sha256', text)
}

/** What may be shown after the first time: enough to tell keys apart. */
export function keyHint(text: string): string {
  return `${text.slice(0, text.lastIndexOf('_') + 1)}…${text.slice(-4)}`
}

function prefix(kind: KeyKind, mode: Mode | undefined): string {
  if (kind === 'api') return 'ak_'
  return `${kind === 'secret' ? 'sk' : 'fk'}_${mode}_`
}

function checksum(text: string): string {
  return base62(crc32(text), checksumLength)
}

function base62(number: number, length: number): string {
  let rest = number
  let text = ''
  while (text.length < length) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

function fromBase62(text: string): number {
  return [...text].reduce((total, letter) => total * 62 + alphabet.indexOf(letter), 0)
}
