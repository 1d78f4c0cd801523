const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Regions that are no country, and two that exist for testing software. */
const noCountry = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])

/** ISO 3166 codes of countries that exist today. */
export const countryCodes: readonly string[] = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((code) => names.of(code) !== undefined && !noCountry.has(code) && !isRenamed(code))

/** `DD` and `BU` are codes of the past: Intl turns them into `DE` and `MM`. */
function isRenamed(code: string): boolean {
  return Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`
}

export function countryName(code: string): string {
  return names.of(code) ?? code
}
