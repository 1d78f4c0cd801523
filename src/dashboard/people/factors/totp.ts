import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// Codes of an authenticator app: RFC 6238 with SHA-1, six digits and thirty seconds, which is all that every app knows.

const stepSeconds = 30
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function drawTotpSecret(): Buffer {
  return randomBytes(secretBytes)
}

export function codeAt(secret: Buffer, step: bigint): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(step)
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = (mac[19] ?? 0) & 0xf
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export function stepAt(now: Date): bigint {
  return BigInt(Math.floor(now.getTime() / 1000 / stepSeconds))
}

/** The time step that the code is of; a clock may be off by one step. Undefined when it is of none. */
export function stepOfCode(secret: Buffer, code: string, now: Date): bigint | undefined {
  const typed = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(typed)) return undefined
  const current = stepAt(now)
  return [current, current - 1n, current + 1n].find((step) =>
    timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(typed)),
  )
}

export function base32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[parseInt(group.padEnd(5, '0'), 2)]).join('')
}

export function readBase32(text: string): Buffer | undefined {
  if (!/^[A-Z2-7]{32}$/.test(text)) return undefined
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)))
}

/** The content of the QR code. */
export function totpAddress(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
