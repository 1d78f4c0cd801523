import { passesLuhn } from './luhn.ts'
import { withPlainDigits } from './plain-digits.ts'

// Card numbers are never stored. A complete number of a known scheme (range, length and Luhn) is refused where a
// person might put one. A long number that merely passes Luhn is not a card: a tenth of all order ids do.

const schemes: readonly { readonly prefix: RegExp; readonly lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] }, // Visa
  { prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] }, // Mastercard
  { prefix: /^3[47]/, lengths: [15] }, // American Express
  { prefix: /^3(0[0-5]|[689])/, lengths: [14, 16, 19] }, // Diners Club
  { prefix: /^(6011|64[4-9]|65)/, lengths: [16, 19] }, // Discover
  { prefix: /^35(2[89]|[3-8])/, lengths: [16, 19] }, // JCB
  { prefix: /^62/, lengths: [16, 17, 18, 19] }, // UnionPay
  { prefix: /^(5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [12, 13, 14, 15, 16, 17, 18, 19] }, // Maestro
]

const rangesOfLength = new Map(
  [...new Set(schemes.flatMap(({ lengths }) => lengths))].map((length) => {
    const ofLength = schemes.filter(({ lengths }) => lengths.includes(length))
    return [length, new RegExp(ofLength.map(({ prefix }) => prefix.source).join('|'))]
  }),
)

const shortest = Math.min(...rangesOfLength.keys())
const longest = Math.max(...rangesOfLength.keys())
const enoughDigits = new RegExp(`(?:[0-9][^0-9]*){${shortest}}`)

// People write a card number in groups, with spaces, dashes, dots, slashes or anything else between them, and write other
// numbers beside it: a date, a CVC, an order. So every run of whole groups is tried. A group is never cut, because some
// part of a long order id passes for a card number by chance.
//
// A run ends at a letter, at a currency, and at what parts the items of a list: "Orders 4711, 4712 & 4713" is not one number.
const endOfRun = /[\p{L}\p{Nl}\p{No}\p{Sc}%]|[,;&+#](?=\s)|(?<=\s)[&+#]/u

// Invisible, so they separate no two numbers: zero-width spaces, soft hyphens, direction marks, the keycap around 4️⃣.
const unseen = /[\p{Cf}\p{M}]+/gu

/** The sentence for a field that holds one, without its subject. */
export const cardNumberRule = 'must not contain a card number: Florin never stores card numbers'

export function containsCardNumber(text: string): boolean {
  const plain = withPlainDigits(text)
  if (!enoughDigits.test(plain)) return false
  return withoutDates(withoutIbans(plain.replace(unseen, '')))
    .split(endOfRun)
    .some(runHoldsCardNumber)
}

/** `start`: where its digits begin among all digits of the run. `between`: the sign that separates it from the one before; empty if only spaces do. */
type Group = {
  readonly digits: string
  readonly before: string
  readonly between: string
  readonly start: number
}

function runHoldsCardNumber(run: string): boolean {
  const groups = groupsOf(run)
  const all = groups.map(({ digits }) => digits).join('')
  return groups.some(({ start }, first) => {
    for (let end = first + 1; end <= groups.length; end += 1) {
      const size = (groups[end]?.start ?? all.length) - start
      if (size > longest) return false
      if (size < shortest || !isCardNumber(all.slice(start, start + size))) continue
      if (isWrittenAsOne(groups.slice(first, end)) || (end - first === groups.length && isPlain(groups)))
        return true
    }
    return false
  })
}

function groupsOf(run: string): Group[] {
  let start = 0
  let read = 0
  return Array.from(run.matchAll(/[0-9]+/g), ({ 0: digits, index }) => {
    const before = run.slice(read, index)
    const group = { digits, before, between: /\S/u.exec(before)?.[0] ?? '', start }
    start += digits.length
    read = index + digits.length
    return group
  })
}

/**
 * Whether groups look like one number: each has three digits or more, or all have the same size (the last may be shorter)
 * and the same separator. Without this rule every third list of eight prices has a run of digits that passes for a card.
 */
function isWrittenAsOne(groups: readonly Group[]): boolean {
  if (groups.every(({ digits }) => digits.length >= 3)) return true
  const size = groups[0]?.digits.length ?? 0
  const between = groups[1]?.between
  return groups.every(
    (group, index) =>
      (index === 0 || group.between === between) &&
      (index === groups.length - 1 ? group.digits.length <= size : group.digits.length === size),
  )
}

// Four in a thousand lists of one to eight prices have the digits of a card.
const prices = /^[0-9]+[.][0-9]{2}(?:\s+[0-9]+[.][0-9]{2})+$/

/** Whether all groups of a run may be one number, of whatever sizes they are: by separators that people put into one. */
function isPlain(groups: readonly Group[]): boolean {
  const written = groups.map(({ before, digits }, index) => (index === 0 ? digits : before + digits)).join('')
  return /^[0-9\s./\p{Pd}]+$/u.test(written) && !prices.test(written)
}

// A day beside an order's number and a time makes sixteen digits easily: "4711 15/11/2026 14.05".
const dayShape =
  /(?<![0-9])(?:(?:0?[1-9]|[12][0-9]|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)[0-9]{2}|(?:19|20)[0-9]{2}([./-])(?:0[1-9]|1[0-2])\2(?:0[1-9]|[12][0-9]|3[01]))(?![0-9])/g

export function withoutDates(text: string): string {
  return text.replace(dayShape, 'x')
}

// Four groups of four inside an IBAN pass for a card in some two IBANs of a hundred; the check digits of the IBAN show
// what it is.
const ibanShape = /\b[A-Z]{2}[0-9]{2}(?: ?[0-9A-Z]{4}){2,7}(?: ?[0-9A-Z]{1,3})?\b/g

function withoutIbans(text: string): string {
  return text.replace(ibanShape, (found) => (isIban(found.replaceAll(' ', '')) ? 'x' : found))
}

function isIban(compact: string): boolean {
  let remainder = 0
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder === 1
}

export function isCardNumber(digits: string): boolean {
  return rangesOfLength.get(digits.length)?.test(digits) === true && passesLuhn(digits)
}

const cardKey = asWords([
  '(?:credit|debit|bank|payment|master)?cards?(?:num|number|no|nr|pan|holder|data|details)?',
  '(?:pan|cc)(?:num|number|no|nr)?',
  'visa|amex',
])

const cvcKey = asWords([
  '(?:card)?(?:cvv|cvc|cvn|csc|cvd)(?:code|num|number|no|nr|value)?',
  '(?:card[^a-z]?)?(?:security|verification)[^a-z]?(?:code|value|number)',
])

function asWords(words: readonly string[]): RegExp {
  return new RegExp(`(?<![a-z])(?:${words.join('|')})(?![a-z])`)
}

/** Whether a key of meta speaks of a card: `card`, `cardNumber`, `payment_card`, `PANNumber`, `cc`, `cvv` … */
export function speaksOfCard(key: string): boolean {
  return cardKey.test(spelledApart(key)) || speaksOfCvc(key)
}

/** Whether a key of meta speaks of the digits on a card's back: `cvv`, `CVC2`, `cardSecurityCode` … */
export function speaksOfCvc(key: string): boolean {
  return cvcKey.test(spelledApart(key))
}

/** Exactly three or four digits. Under a key that means a CVC they are one, which must never be stored. */
export function isCvc(text: string): boolean {
  const digits = withPlainDigits(text)
    .replace(unseen, '')
    .replace(/[\s.\p{Pd}]+/gu, '')
  return /^[0-9]{3,4}$/.test(digits)
}

// CCNumber, CCnum and myPANnumber put the capitals differently, so a key is split into words in two ways, and one match is
// enough.
function spelledApart(key: string): string {
  const atCapitals = key.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  const afterAcronyms = atCapitals.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return `${key} ${atCapitals} ${afterAcronyms}`.toLowerCase()
}
