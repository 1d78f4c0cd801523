import {
  cardNumberRule,
  containsCardNumber,
  isCvc,
  speaksOfCard,
  speaksOfCvc,
  withoutDates,
} from './card-numbers.ts'
import { withPlainDigits } from './plain-digits.ts'

// The rule for fields that programs write: tx_ref, URLs and meta. A long number there is an order number, and a tenth
// of those pass as card numbers; next to an expiry date or a security code, it is a card.

/** The sentence for a field that breaks it, without its subject. */
export const cardDataRule =
  'must not contain a card number beside an expiry date or a security code: Florin never stores card numbers'
export const cvcRule = "must not contain a card's security code: storing it is forbidden"

const month = '(?:0[1-9]|1[0-2])'
const year = '(?:20)?[0-9]{2}'
const beside = [
  // 12/30 and 12 / 2030
  new RegExp(`(?<![0-9/])${month} ?/ ?${year}(?![0-9/])`),
  // 4242424242424242|12|30|123, as lists of stolen cards are written
  new RegExp(`[0-9][|:;,]${month}[|:;,]${year}(?![0-9])`),
  new RegExp(
    `(?<![a-z])(?:exp(?:iry|ires|iration)?|valid)[^0-9]{0,12}${month}[^0-9a-z]{0,3}${year}(?![0-9])`,
    'i',
  ),
  /(?<![a-z])(?:cvv|cvc|cvn|csc|cvd|security.?code)2?[^0-9a-z]{0,3}[0-9]{3,4}(?![0-9])/i,
]

/** Whether a text holds a complete number of a known scheme and, in the same text, its expiry date or security code. */
export function containsCardData(text: string): boolean {
  if (!containsCardNumber(text)) return false
  const plain = withoutDates(withPlainDigits(text))
  return beside.some((shape) => shape.test(plain))
}

/** The rule that an address breaks: as text, or by a parameter that says what it is, as a key of meta does. */
export function cardRuleOfUrl(url: string): string | undefined {
  const parsed = /[0-9]{3}/.test(url) ? URL.parse(url) : null
  if (parsed === null) return undefined
  const { pathname, search, hash, searchParams } = parsed
  for (const [name, value] of searchParams) {
    if (speaksOfCvc(name) && isCvc(value)) return cvcRule
    if (speaksOfCard(name) && containsCardNumber(value)) return cardNumberRule
  }
  // A slash of the path parts segments, and is no part of a date.
  const text = `${pathname.replaceAll('/', '\n')}\n${search.replaceAll('+', ' ')}\n${hash}`
  return containsCardData(decoded(text)) ? cardDataRule : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
