import { brokenRule } from '../../../platform/errors/refusals.ts'

/** The languages of the checkout and its e-mails. */
export const languageCodes = ['en', 'cy', 'fr', 'de', 'es', 'pl', 'ar'] as const
export type LanguageCode = (typeof languageCodes)[number]

/** For Intl, if the browser names no region that we know. Arabic keeps the digits printed on cards. */
const ownLocales: Readonly<Record<LanguageCode, string>> = {
  en: 'en-GB',
  cy: 'cy-GB',
  fr: 'fr-FR',
  de: 'de-DE',
  es: 'es-ES',
  pl: 'pl-PL',
  ar: 'ar-u-nu-latn',
}

/** English for anything else; of a tag such as `en-US` the language alone. */
export function languageOf(tag: string): LanguageCode {
  const language = tag.split('-')[0]?.toLowerCase()
  return languageCodes.find((code) => code === language) ?? 'en'
}

/** For numbers and dates, of `en` or `en-US`: Americans and Indians write both in their own way. */
export function localeOf(tag: string): string {
  const language = languageOf(tag)
  const own = ownLocales[language]
  const region = new RegExp(`^${language}-([a-z]{2})$`, 'i').exec(tag)?.[1]?.toUpperCase()
  if (region === undefined) return own
  const wanted = `${language}-${region}`
  const known = regional.get(wanted) ?? regionalLocale(wanted, own)
  regional.set(wanted, known) // No test: a cache: the result is the same
  return known
}

/** No more than there are pairs of letters. */
const regional = new Map<string, string>()

function regionalLocale(wanted: string, own: string): string {
  // Intl takes any region, and writes those that it does not know as in the United States.
  const isKnown = new Intl.NumberFormat(wanted).resolvedOptions().locale === wanted
  // The calendar of banks and the digits of cards, also where others are in use: in Thailand it is 2569.
  return isKnown && wanted !== own ? `${wanted}-u-ca-gregory-nu-latn` : own
}

const names = new Intl.DisplayNames(['en'], { type: 'language' })

export function languageName(code: string): string {
  return names.of(code) ?? code
}

/** None: all of them. The first is the fallback. */
export function readLanguages(codes: readonly string[]): LanguageCode[] {
  const wanted = [...new Set(codes.map((code) => code.trim().toLowerCase()))]
  return wanted.map((wish) => {
    const code = languageCodes.find((one) => one === wish)
    if (code) return code
    throw brokenRule('languages', `languages must be some of ${languageCodes.join(', ')}`)
  })
}
