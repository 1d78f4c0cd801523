import { cardDataRule, containsCardData, cvcRule } from '../../../platform/money/card-data.ts'
import type { Fields } from '../../../platform/input/fields.ts'
import { needsExactNumbers, parseExactly } from '../../../platform/http/json-body.ts'
import { memberText } from '../../../platform/input/json-member.ts'
import {
  cardNumberRule,
  containsCardNumber,
  isCvc,
  speaksOfCard,
  speaksOfCvc,
} from '../../../platform/money/card-numbers.ts'

// meta is the merchant's own: any JSON object, returned as sent, within a size and a depth, without card numbers and
// their security codes.

const bytesMax = 8 * 1024
/** For objects a merchant sends: code that walks them calls itself once per level. */
export const levelsMax = 5

/** The JSON text to keep, or null. `bodyText` is the whole request, for numbers that a double would change. */
export function readMeta(fields: Fields, bodyText: string): string | null {
  const meta = fields.value('meta')
  if (meta === undefined) return null
  if (typeof meta !== 'object' || meta === null) {
    fields.fail('meta', 'must be an object')
    return null
  }
  if (isTooDeep(meta)) {
    fields.fail('meta', `must be at most ${levelsMax} levels deep`)
    return null
  }
  const exact = exactMeta(meta, bodyText)
  const text = JSON.stringify(exact)
  if (Buffer.byteLength(text) > bytesMax) {
    fields.fail('meta', 'must be at most 8 KiB')
    return null
  }
  const rule = cardRule(exact, { card: false, cvc: false })
  if (rule !== undefined) {
    fields.fail('meta', rule)
    return null
  }
  return text
}

// Only meta's own text is parsed again: what else the body holds may be nested too deep for it.
function exactMeta(meta: object, bodyText: string): unknown {
  const sent = memberText(bodyText, 'meta')
  const exact = needsExactNumbers(sent) ? parseExactly(sent) : meta
  // PHP writes an array whose keys are 0, 1, 2 … as a list.
  return Array.isArray(exact) ? { ...(exact as unknown[]) } : exact
}

export function isTooDeep(value: object): boolean {
  return levels(value, levelsMax + 1) > levelsMax
}

/** How deep it goes, counted no further than `enough`. */
function levels(value: unknown, enough: number): number {
  if (typeof value !== 'object' || value === null || enough === 0) return 0
  let deepest = 0
  for (const inner of Object.values(value)) deepest = Math.max(deepest, levels(inner, enough - 1))
  return deepest + 1
}

/** What the keys above a value mean. */
type Under = { readonly card: boolean; readonly cvc: boolean }

/**
 * The rule that a value breaks because of what its keys mean. Under any other key a number is an order's or a parcel's,
 * of which a tenth look like a card's, unless an expiry date or a security code is next to it. A number too large for a
 * double arrives as an object with its digits as text, and is read like any other text.
 */
function cardRule(value: unknown, under: Under): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return ruleOfText(String(value), under)
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const within = { card: under.card || speaksOfCard(key), cvc: under.cvc || speaksOfCvc(key) }
    const rule = within.card && containsCardNumber(key) ? cardNumberRule : cardRule(inner, within)
    if (rule !== undefined) return rule
  }
  return undefined
}

function ruleOfText(text: string, under: Under): string | undefined {
  if (under.card && containsCardNumber(text)) return cardNumberRule
  if (under.cvc && isCvc(text)) return cvcRule
  return containsCardData(text) ? cardDataRule : undefined
}
