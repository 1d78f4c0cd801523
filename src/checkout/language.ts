import type { LanguageCode } from '../merchants/brand/languages.ts'
import { displayAmount } from '../money/money.ts'
import { sayTime } from '../notifications/mail/say-time.ts'
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
  /** For Intl. Arabic keeps the digits that stand on cards, so that amounts and card numbers look alike. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly words: Words
}

export const english: Language = { code: 'en', locale: 'en-GB', direction: 'ltr', words: en }

export const languages: readonly Language[] = [
  english,
  { code: 'cy', locale: 'cy-GB', direction: 'ltr', words: cy },
  { code: 'fr', locale: 'fr-FR', direction: 'ltr', words: fr },
  { code: 'de', locale: 'de-DE', direction: 'ltr', words: de },
  { code: 'es', locale: 'es-ES', direction: 'ltr', words: es },
  { code: 'pl', locale: 'pl-PL', direction: 'ltr', words: pl },
  { code: 'ar', locale: 'ar-u-nu-latn', direction: 'rtl', words: ar },
]

export type Choice = {
  readonly language: Language
  /** Asked for by the switch, so links and forms must keep it. */
  readonly isChosen: boolean
}

/** Those that a shop offers, by their codes and in its order; none: all. */
export function offeredLanguages(codes: readonly string[]): readonly Language[] {
  const offered = codes.flatMap((code) => languages.find((language) => language.code === code) ?? [])
  return offered.length === 0 ? languages : offered
}

/** The first one that is offered is for everybody who wants none of them. */
export function chooseLanguage(
  asked: unknown,
  acceptLanguage: string | undefined,
  offered: readonly Language[] = languages,
): Choice {
  const chosen = offered.find((language) => language.code === asked)
  if (chosen) return { language: chosen, isChosen: true }
  const [first = english] = offered
  return { language: preferred(acceptLanguage ?? '', offered) ?? first, isChosen: false }
}

const acceptedMax = 20 // wishes read from one header; browsers send fewer than ten

function preferred(header: string, offered: readonly Language[]): Language | undefined {
  const wishes = header
    .split(',', acceptedMax)
    .map(readWish)
    .filter((wish) => wish.weight > 0)
    .toSorted((left, right) => right.weight - left.weight)
  for (const wish of wishes) {
    const known = offered.find((language) => language.code === wish.code)
    if (known) return known
  }
  return undefined
}

function readWish(text: string): { code: string; weight: number } {
  const [range = '', ...parameters] = text.split(';')
  const quality = parameters.map((parameter) => /^\s*q=([01](?:\.\d{1,3})?)\s*$/.exec(parameter)?.[1])
  return {
    code: range.trim().toLowerCase().split('-')[0] ?? '',
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
  return sayTime(instant, language.locale, timeZone)
}

/** `15 November 2026`. */
export function displayDay(date: Date, language: Language, timeZone = 'UTC'): string {
  return new Intl.DateTimeFormat(language.locale, { dateStyle: 'long', timeZone }).format(date)
}

/** `in 30 seconds`, `in 2 minutes`. Up, so that nobody is told to come too early. */
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
