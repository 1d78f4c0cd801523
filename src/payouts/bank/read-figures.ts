import { dayOf, minorOf } from './bank-entry.ts'

// Amounts and dates as banks write them for people.

/** With its sign; undefined where it is no amount. `1.234,56`, `1,234.56`, `1 234,56-`, `(12.00)`, `£5`, `5,00 S`. */
export function readAmount(typed: string, currency: string): bigint | undefined {
  const text = typed
    .replace(/[\s\u00a0\u202f'’]/g, '')
    .replace('\u2212', '-')
    .replace(/[€£$]|^[A-Z]{3}(?=[-+\d])|(?<=\d)[A-Z]{3}$/g, '')
  const isNegative = /^-|-$|^\(.*\)$|^[^A-Z]*(S|D|DR)$/i.test(text)
  const digits = text.replace(/^[-+(]|[-+)]$|(?<=\d)(S|H|C|D|CR|DR)$/gi, '')
  const plain = withPoint(digits)
  const minor = plain === undefined ? undefined : minorOf(plain, currency)
  if (minor === undefined) return undefined
  return isNegative ? -minor : minor
}

/** The last separator is the decimal mark, unless three digits follow it: no bank writes tenths of a penny. */
function withPoint(digits: string): string | undefined {
  // No test: `minorOf` refuses what is no number, too
  if (!/^\d+([.,]\d*)*$/.test(digits)) return undefined
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last === -1) return digits
  const fraction = digits.slice(last + 1)
  const whole = digits.slice(0, last)
  const isThousands = fraction.length === 3 && !whole.startsWith('0')
  const groups = (isThousands ? digits : whole).split(/[.,]/)
  if (groups.length > 1 && !groups.slice(1).every((group) => group.length === 3)) return undefined
  return isThousands ? groups.join('') : `${groups.join('')}.${fraction}`
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export type DateOrder = 'day_first' | 'month_first'

/** Only numbers above 12 tell the two orders apart; without any, the day comes first. */
export function orderOf(dates: readonly string[]): DateOrder {
  const pairs = dates.map((date) => /^(\d\d?)\/(\d\d?)\//.exec(date))
  const isMonthFirst = pairs.some((pair) => Number(pair?.[2] ?? 0) > 12)
  return isMonthFirst && !pairs.some((pair) => Number(pair?.[1] ?? 0) > 12) ? 'month_first' : 'day_first'
}

export function readDay(text: string, order: DateOrder): string | undefined {
  const iso = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[T ].*)?$/.exec(text)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const worded = /^(\d\d?)[ -]([a-z]{3})[a-z]*[ -](\d\d|\d{4})(?:[ ,].*)?$/i.exec(text)
  if (worded) {
    const month = months.indexOf((worded[2] ?? '').toLowerCase()) + 1
    return dayOf(yearOf(worded[3] ?? ''), month, Number(worded[1]))
  }
  const parts = /^(\d\d?)([./-])(\d\d?)\2(\d\d|\d{4})(?:[ ,].*)?$/.exec(text)
  if (!parts) return undefined
  const [first, second] = [Number(parts[1]), Number(parts[3])]
  const isMonthFirst = order === 'month_first' && parts[2] === '/'
  return dayOf(yearOf(parts[4] ?? ''), isMonthFirst ? first : second, isMonthFirst ? second : first)
}

function yearOf(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits)
}
