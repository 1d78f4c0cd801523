import { decimalsOf } from './client.ts'

// Medusa counts in pounds, as numbers, texts or objects of big numbers. Florin counts in pence. No float is added, multiplied or rounded in between.

/** As Medusa's BigNumberInput. */
export type MedusaAmount =
  | number
  | string
  | { readonly raw?: { readonly value: string | number }; readonly numeric?: number }
  | { readonly value: string | number }
  | { toFixed(): string }

/** `12.34` GBP → `1234n`. More decimals than the currency has are rounded half up, as Medusa shows them. */
export function toMinor(amount: MedusaAmount, currency: string): bigint {
  const text = decimalText(amount)
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (!parts) throw new TypeError(`${text} is not an amount`)
  const [, whole = '', fraction = ''] = parts
  const decimals = decimalsOf(currency)
  const digits = fraction.padEnd(decimals + 1, '0')
  const minor = BigInt(whole + digits.slice(0, decimals))
  return digits.charAt(decimals) >= '5' ? minor + 1n : minor
}

function decimalText(amount: MedusaAmount): string {
  // The shortest text that means this number, which is what was typed: 12.34, not 12.339999999999999857891452847979962825775146484375.
  if (typeof amount === 'number') return String(amount)
  if (typeof amount === 'string') return amount.trim()
  if ('value' in amount) return String(amount.value)
  // Before the number beside it, which may have lost digits.
  if ('raw' in amount && amount.raw) return String(amount.raw.value)
  if ('numeric' in amount && amount.numeric !== undefined) return String(amount.numeric)
  return 'toFixed' in amount ? amount.toFixed() : ''
}
