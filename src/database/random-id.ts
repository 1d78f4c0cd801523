import { randomInt } from 'node:crypto'

export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function randomBase62(length: number): string {
  return Array.from({ length }, () => base62Alphabet[randomInt(62)]).join('')
}
