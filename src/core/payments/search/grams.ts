import { plainAmount } from '../../../platform/money/money.ts'
import { foldText } from './fold-text.ts'

// What is stored of a payment so that any part of it is found: its folded text, and a number for every three letters in a
// row. A GIN index over these numbers finds the payments that have all numbers of what was typed; the text then decides.
//
// The numbers include the merchant, the mode and the slice. So the index has separate lists for each of them, and a
// search reads the newest 20,000 payments first and stops when a page is full, instead of reading every payment of a
// common word.

export type Searched = {
  readonly tx_ref: string
  readonly reference: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly title: string | null
  readonly amount_minor: bigint
  readonly currency: string
}

/** One way to read what was typed. All parts and all terms must be in the text. */
export type Needle = {
  /** Folded; anywhere in a word. */
  readonly parts: readonly string[]
  /** Whole words of one or two letters, and amounts. */
  readonly terms: readonly string[]
}

export type Place = { readonly merchantId: number; readonly mode: string; readonly slice: number }

const gramLength = 3
/** Stands around terms; folding leaves no such character in a text. */
const edge = '\u0001'

/** In these scripts a word may be one character, and nothing separates words. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** Whether a part of a word can be looked for; otherwise only the whole word. */
export function isPart(word: string): boolean {
  return [...word].length >= gramLength || dense.test(word)
}

export function amountTerms(amounts: string, currencies: readonly string[]): string[] {
  return currencies.length === 0
    ? [`=${amounts}`]
    : currencies.map((currency) => `=${amounts}${currency.toLowerCase()}`)
}

/** `12.50` and `12.5` are one amount. */
export function shortAmount(plain: string): string {
  const whole = plain.replace(/^0+(?=\d)/, '')
  return whole.includes('.') ? whole.replace(/\.?0*$/, '') : whole
}

/** The text of a payment: its fields, then its terms. */
export function textOf(payment: Searched): string {
  const { first_name, last_name, email, tx_ref, reference, title, currency } = payment
  const fields = [`${first_name} ${last_name}`, email, tx_ref, reference, title ?? ''].map(foldText)
  const amount = shortAmount(plainAmount(payment.amount_minor, currency))
  const terms = new Set([
    ...amountTerms(amount, []),
    ...amountTerms(amount, [currency]),
    ...fields.flatMap((field) => field.split(/[^\p{L}\p{N}\p{M}]+/u)).filter(isShort),
  ])
  return `${fields.join('\n')}${edge}${[...terms].join(edge)}${edge}`
}

function isShort(word: string): boolean {
  return word !== '' && !isPart(word)
}

/** As `like` takes it: each must fit. */
export function patternsOf({ parts, terms }: Needle): string[] {
  return [...parts, ...terms.map((term) => edge + term + edge)].map((text) => `%${escaped(text)}%`)
}

export function isIn(text: string, { parts, terms }: Needle): boolean {
  return (
    parts.every((part) => text.includes(part)) && terms.every((term) => text.includes(edge + term + edge))
  )
}

/** Of a stored text. */
export function gramsOfText(text: string, place: Place): number[] {
  const [fields = '', ...terms] = text.split(edge)
  const words = fields.split(/[ \n]/)
  return numbersOf([...words.flatMap(stretches), ...terms.filter(Boolean).map((term) => edge + term)], place)
}

export function gramsOfNeedle({ parts, terms }: Needle, place: Place): number[] {
  return numbersOf([...parts.flatMap(longestStretches), ...terms.map((term) => edge + term)], place)
}

/** Every three characters in a row; in dense scripts also one and two. */
function stretches(word: string): string[] {
  if (ascii.test(word)) return allThrees(word) // No test: saves most of the time, as most words are ASCII
  const characters = [...word]
  return characters.flatMap((character, index) =>
    [1, 2, gramLength]
      .filter(
        (length) => index + length <= characters.length && (length === gramLength || dense.test(character)),
      )
      .map((length) => characters.slice(index, index + length).join('')),
  )
}

const ascii = /^[!-~]*$/

function allThrees(word: string): string[] {
  const found: string[] = []
  for (let end = gramLength; end <= word.length; end += 1) found.push(word.slice(end - gramLength, end))
  return found
}

/** The fewest numbers that say the most. */
function longestStretches(part: string): string[] {
  const length = Math.min([...part].length, gramLength)
  const found = stretches(part).filter((stretch) => [...stretch].length === length)
  // "7李" is no stretch that is stored: only those that begin with a character of a dense script are.
  return found.length > 0 ? found : stretches(part)
}

function numbersOf(grams: readonly string[], { merchantId, mode, slice }: Place): number[] {
  const seed = hash(`${merchantId}:${mode}:${slice}:`, 0x811c9dc5)
  return [...new Set(grams.map((gram) => mix(hash(gram, seed))))]
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value
}

/** Spreads numbers that differ little, as 32 bits with a sign. */
function mix(value: number): number {
  const first = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35)
  return (second ^ (second >>> 16)) | 0
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}
