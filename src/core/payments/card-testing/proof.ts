import { createHash, timingSafeEqual } from 'node:crypto'
import type { Marks } from './marks.ts'

// While a merchant is under attack each attempt has to bring a proof of work: a number that a script finds by trying
// some ten thousands, or, without a script, the page's age. A proof is valid for one attempt of one payment. No table:
// every server of the installation recognises its own signature.

export type ProofTask = { readonly token: string; readonly bits: number }

export type Proofs = {
  give(digits: string, attempt: number, bits: number): Promise<ProofTask>
  /** The attempt that the proof is good for; else how much longer the page has to rest, if it is a page of ours at all. */
  check(digits: string, token: string, nonce: string): Promise<Checked>
}

export type Checked =
  | { readonly kind: 'proven'; readonly attempt: number }
  | { readonly kind: 'too_early'; readonly until: Date }
  | { readonly kind: 'unknown' }

/** Somebody who types a card takes longer, and notices nothing. */
export const pauseMs = 20_000
const goodForMs = 30 * 60_000

export function makeProofs(marks: Marks, now: () => Date): Proofs {
  async function sign(digits: string, attempt: number, issuedMs: number, bits: number): Promise<string> {
    return marks.sign(`${digits} ${attempt} ${issuedMs} ${bits}`)
  }
  return {
    async give(digits, attempt, bits) {
      const issuedMs = now().getTime()
      const signature = await sign(digits, attempt, issuedMs, bits)
      return { token: `${attempt}.${issuedMs.toString(36)}.${bits}.${signature}`, bits }
    },
    async check(digits, token, nonce) {
      const match = /^(\d{1,3})\.([0-9a-z]{1,9})\.(\d{1,2})\.([\w-]{22})$/.exec(token)
      if (!match) return { kind: 'unknown' }
      const [attempt, issuedMs, bits] = [Number(match[1]), parseInt(match[2] ?? '', 36), Number(match[3])]
      const given = match[4] ?? ''
      const right = await sign(digits, attempt, issuedMs, bits)
      const ageMs = now().getTime() - issuedMs
      if (!timingSafeEqual(Buffer.from(right), Buffer.from(given)) || ageMs < 0 || ageMs > goodForMs) {
        return { kind: 'unknown' }
      }
      if (ageMs >= pauseMs || isSolved(given, nonce, bits)) return { kind: 'proven', attempt }
      return { kind: 'too_early', until: new Date(issuedMs + pauseMs) }
    },
  }
}

/** The page's script has the same calculation: assets/proof.js. */
export function isSolved(signature: string, nonce: string, bits: number): boolean {
  if (!/^\d{1,9}$/.test(nonce)) return false
  const start = createHash('sha256').update(`${signature}:${nonce}`).digest().readUInt32BE(0)
  return start < 2 ** (32 - bits) // No test: one hash in four billion
}
