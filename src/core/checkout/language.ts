import { languageCodes, languageOf, localeOf, type LanguageCode } from '../merchants/brand/languages.ts'
import { displayAmount } from '../../platform/money/money.ts'
import { formatTime } from '../notifications/mail/format-time.ts'
import { ar } from './words/ar.ts'
import { cy } from './words/cy.ts'
import { de } from './words/de.ts'
import { en, type Words } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { pl } from './words/pl.ts'

export type { Words }

export type Language = {
  readonly code: LanguageCode
  /** With the region, where numbers and dates are written in its own way: `en-US`. Kept for the mails that follow. */
  readonly tag: string
  /** For Intl. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly words: Words
}

const wordsOf: Readonly<Record<LanguageCode, Words>> = { en, cy, fr, de, es, pl, ar }

export const english: Language = describe('en')

export const languages: readonly Language[] = languageCodes.map((code) =>
  code === 'en' ? english : describe(code),
)

function describe(code: LanguageCode): Language {
  const direction = code === 'ar' ? 'rtl' : 'ltr'
  return { code, tag: code, locale: localeOf(code), direction, words: wordsOf[code] }
}

const regions = new Map<string, Language>()

/** For `en` or `en-US`, as requested by a browser or stored. English for unknown languages. */
export function findLanguage(tag: string): Language {
  const code = languageOf(tag)
  const language = languages.find((one) => one.code === code) ?? english
  const locale = localeOf(tag)
  if (locale === language.locale) return language
  const known = regions.get(locale)
  if (known) return known // No test: a cache: the result is the same
  const found = { ...language, tag: locale.slice(0, 5), locale }
  regions.set(locale, found) // No test: a cache: the result is the same
  return found
}

export type Choice = {
  readonly language: Language
  /** Asked for by the switch, so links and forms must keep it. */
  readonly isChosen: boolean
}

/** A shop's languages by their codes, in its order; none means all. */
export function offeredLanguages(codes: readonly string[]): readonly Language[] {
  if (codes.length === 0) return languages // No test: saves time: most shops name none
  const offered = codes.flatMap((code) => languages.find((language) => language.code === code) ?? [])
  return offered.length === 0 ? languages : offered
}

/** The first one that is offered is for everybody who wants none of them. */
export function chooseLanguage(
  asked: unknown,
  acceptLanguage = '',
  offered: readonly Language[] = languages,
): Choice {
  const isUsual = asked === undefined && offered === languages && acceptLanguage.length <= keptLengthMax
  if (!isUsual) return makeChoice(asked, acceptLanguage, offered)
  const known = chosenBefore.get(acceptLanguage)
  if (known !== undefined) return known // No test: a cache: the result is the same
  const made = makeChoice(asked, acceptLanguage, offered)
  if (chosenBefore.size >= keptMax) chosenBefore.clear() // No test: bounds the memory
  chosenBefore.set(acceptLanguage, made)
  return made
}

// By what the browser says, which is the same for most people of a country. Reading it takes 2 to 14 µs.
const chosenBefore = new Map<string, Choice>()
const keptMax = 1_000
const keptLengthMax = 100

function makeChoice(asked: unknown, acceptLanguage: string, offered: readonly Language[]): Choice {
  const wishes = readWishes(acceptLanguage)
  const chosen = offered.find((language) => language.code === asked)
  const { code } = chosen ?? preferred(wishes, offered) ?? offered[0] ?? english
  // A customer who chose English on a US browser still reads dollars and dates as there.
  const tag = wishes.find((wish) => wish.code === code && wish.tag !== code)?.tag ?? code
  return { language: findLanguage(tag), isChosen: chosen !== undefined }
}

const acceptedMax = 20 // wishes read from one header; browsers send fewer than ten

type Wish = { readonly tag: string; readonly code: string; readonly weight: number }

function preferred(wishes: readonly Wish[], offered: readonly Language[]): Language | undefined {
  for (const wish of wishes) {
    const known = offered.find((language) => language.code === wish.code)
    if (known) return known
  }
  return undefined
}

function readWishes(header: string): Wish[] {
  return header
    .split(',', acceptedMax)
    .map(readWish)
    .filter((wish) => wish.weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
}

function readWish(text: string): Wish {
  const [range = '', ...parameters] = text.split(';')
  const quality = parameters.map((parameter) => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(parameter)?.[1])
  const tag = range.trim().toLowerCase()
  return {
    tag,
    code: tag.split('-')[0] ?? '',
    weight: Number(quality.find((found) => found !== undefined) ?? 1),
  }
}

/** Fills the {braces} of a sentence of our own. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  const parts = taken.get(sentence) ?? takeApart(sentence)
  let text = parts[0] ?? ''
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] ?? ''
    text += (values[name] ?? `{${name}}`) + (parts[index + 1] ?? '')
  }
  return text
}

const taken = new Map<string, readonly string[]>()

/** `Pay {amount} now` becomes `Pay `, `amount`, ` now`: every second part is a name. */
function takeApart(sentence: string): readonly string[] {
  const parts = sentence.split(/\{(\w+)\}/)
  taken.set(sentence, parts) // No test: a cache: the result is the same
  return parts
}

/** `15 November 2026, 14:05 UTC`, in the words of the mail about it. */
export function displayTime(instant: string, language: Language, timeZone?: string): string {
  return formatTime(instant, language.locale, timeZone)
}

/** `15 November 2026`. */
export function displayDay(date: Date, language: Language, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(language.locale, { dateStyle: 'long', timeZone }).format(date)
}

/** `in 30 seconds`, `in 2 minutes`. Rounded up, so that nobody comes back too early. */
export function displayWait(ms: number, language: Language): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  const phrase = new Intl.RelativeTimeFormat(language.locale, { numeric: 'always' })
  return seconds <= 90 ? phrase.format(seconds, 'second') : phrase.format(Math.ceil(seconds / 60), 'minute')
}

const marks = /[\u200e\u200f\u061c]/g

/**
 * As people write it. Between Arabic words, `UK£` would come out as `£UK`: a sign with Latin letters keeps its own
 * direction, together with its number.
 */
export function displayMoney(minor: bigint, currency: string, language: Language): string {
  const text = displayAmount(minor, currency, language.locale)
  if (language.direction === 'ltr' || !/[A-Za-z]/.test(text)) return text
  return `\u2066${text.replace(marks, '')}\u2069`
}
