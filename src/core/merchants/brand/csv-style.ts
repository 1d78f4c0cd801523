import type { CsvStyle } from '../../../platform/http/csv/csv-line.ts'
import type { Brand } from './brand.ts'

/** How spreadsheets in the shop's country read files: where people write 1,50 they separate columns by semicolons. */
export function csvStyleOf({
  country,
  languages,
  timeZone,
}: Pick<Brand, 'country' | 'languages' | 'timeZone'>): CsvStyle {
  const locale = country === undefined ? (languages[0] ?? 'en-GB') : localeOf(country)
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return styleNamed(
    parts.find(({ type }) => type === 'decimal')?.value === ',' ? 'semicolons' : 'commas',
    timeZone,
  )
}

export const csvStyleNames = ['commas', 'semicolons'] as const
export type CsvStyleName = (typeof csvStyleNames)[number]

export function styleNamed(name: CsvStyleName, timeZone: string): CsvStyle {
  return name === 'semicolons'
    ? { separator: ';', decimalPoint: ',', timeZone }
    : { separator: ',', decimalPoint: '.', timeZone }
}

function localeOf(country: string): string {
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  // Swiss German has the comma in Intl, and the point in Swiss books.
  return `${language === 'gsw' ? 'de' : language}-${country}`
}
