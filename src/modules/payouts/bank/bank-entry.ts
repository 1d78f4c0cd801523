import { createHash } from 'node:crypto'
import { decimalsOf } from '../../../platform/money/currencies.ts'

// One line of a bank statement, whatever file it came from.

export type BankEntry = {
  /** The merchant's account: an IBAN, or whatever the file calls it. */
  readonly account: string
  /** The same each time this entry is read, and no other entry's within the account. */
  readonly key: string
  /** `2026-11-17` */
  readonly bookedOn: string
  /** Negative if it left the account. */
  readonly amountMinor: bigint
  readonly currency: string
  /** Every text of the entry, as the bank split it: names, references, purpose. */
  readonly texts: readonly string[]
}

/** The file can't be read. The message explains why. */
export class UnreadableStatement extends Error {}

export type EntryFacts = Omit<BankEntry, 'key'> & {
  /** The bank's own id of the entry, if it is unique. */
  readonly bankName: string
}

/**
 * Draws the keys of one file's entries. A bank's own name makes a repeated entry the same entry. Without one, two entries that
 * are alike to the letter are two: the second of a day has another key than the first, in each file that has both.
 */
export function makeEntryKeys(): (facts: EntryFacts) => BankEntry {
  const seen = new Map<string, number>()
  return ({ bankName, ...facts }) => {
    const { account, bookedOn, amountMinor, currency, texts } = facts
    const parts = [bookedOn, String(amountMinor), currency, bankName, ...(bankName === '' ? texts : [])]
    const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)
    if (bankName !== '') return { ...facts, key: hash }
    const count = (seen.get(account + hash) ?? 0) + 1
    seen.set(account + hash, count)
    return { ...facts, key: count === 1 ? hash : `${hash}-${count}` }
  }
}

/** `1234.5` with a point, as ISO 20022 writes amounts, without a sign. */
export function minorOf(text: string, currency: string): bigint | undefined {
  const decimals = decimalsOf(currency)
  const match = /^(\d{1,15})(?:\.(\d{0,5}))?$/.exec(text)
  if (decimals === undefined || !match) return undefined
  const [, whole = '', fraction = ''] = match
  if (!/^0*$/.test(fraction.slice(decimals))) return undefined
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** `2026-11-17` where there is such a day. */
export function dayOf(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isDay = year >= 1970 && year < 2200 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isDay ? date.toISOString().slice(0, 10) : undefined
}
