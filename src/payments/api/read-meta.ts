import type { Fields } from '../../input/fields.ts'
import { needsExactNumbers, parseExactly } from '../../http/json-body.ts'
import { memberText } from '../../input/json-member.ts'
import { containsCardNumber, speaksOfCard } from '../../money/card-numbers.ts'

// meta is the merchant's own: any JSON object, returned as sent, within a size, a depth and no card numbers.

const bytesMax = 8 * 1024
const levelsMax = 5

/** The JSON text to keep, or null. `bodyText` is the whole request, for numbers that a double would change. */
export function readMeta(fields: Fields, bodyText: string): string | null {
  const meta = fields.value('meta')
  if (meta === undefined) return null
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) {
    fields.fail('meta', 'must be an object')
    return null
  }
  if (levels(meta, levelsMax + 1) > levelsMax) {
    fields.fail('meta', `must be at most ${levelsMax} levels deep`)
    return null
  }
  const exact = exactMeta(meta, bodyText)
  const text = JSON.stringify(exact)
  if (Buffer.byteLength(text) > bytesMax) {
    fields.fail('meta', 'must be at most 8 KiB')
    return null
  }
  if (holdsCardNumber(exact, false)) {
    fields.fail('meta', 'must not contain a card number: Florin never stores card numbers')
    return null
  }
  return text
}

// Only meta's own text is parsed again: what else the body holds may be nested too deep for it.
function exactMeta(meta: object, bodyText: string): unknown {
  const sent = memberText(bodyText, 'meta')
  return needsExactNumbers(sent) && sent !== JSON.stringify(meta) ? parseExactly(sent) : meta
}

/** How deep it goes, counted no further than `enough`. */
function levels(value: unknown, enough: number): number {
  if (typeof value !== 'object' || value === null || enough === 0) return 0
  let deepest = 0
  for (const inner of Object.values(value)) deepest = Math.max(deepest, levels(inner, enough - 1))
  return deepest + 1
}

// A number that no double holds comes here as an object with its digits as text, and is read like any other text.
function holdsCardNumber(value: unknown, underCardKey: boolean): boolean {
  if (typeof value === 'string' || typeof value === 'number')
    return underCardKey && containsCardNumber(String(value))
  if (typeof value !== 'object' || value === null) return false
  const entries: [string, unknown][] = Object.entries(value)
  return entries.some(([key, inner]) => {
    const ofCard = underCardKey || speaksOfCard(key)
    return (ofCard && containsCardNumber(key)) || holdsCardNumber(inner, ofCard)
  })
}
