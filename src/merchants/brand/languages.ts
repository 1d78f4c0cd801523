import { brokenRule } from '../../errors/refusals.ts'

/** What the checkout and its mails are written in. */
export const languageCodes = ['en', 'cy', 'fr', 'de', 'es', 'pl', 'ar'] as const
export type LanguageCode = (typeof languageCodes)[number]

const names = new Intl.DisplayNames(['en'], { type: 'language' })

export function languageName(code: string): string {
  return names.of(code) ?? code
}

/** None: all of them. The first is for customers who want none of the others. */
export function readLanguages(codes: readonly string[]): LanguageCode[] {
  const wanted = [...new Set(codes.map((code) => code.trim().toLowerCase()))]
  return wanted.map((wish) => {
    const code = languageCodes.find((one) => one === wish)
    if (code) return code
    throw brokenRule('languages', `languages must be some of ${languageCodes.join(', ')}`)
  })
}
