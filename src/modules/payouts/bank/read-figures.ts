import { decimalsOf } from '../../../platform/money/currencies.ts'
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
  const plain = withPoint(digits, decimalsOf(currency) === 3)
  const minor = plain === undefined ? undefined : minorOf(plain, currency)
  if (minor === undefined) return undefined
  return isNegative ? -minor : minor
}

/**
 * The last separator is the decimal mark, unless three digits follow it: no bank writes tenths of a penny. Of a currency with
 * three decimals it is one then, too (`12.345` dinars), unless it comes more than once (`1.234.567`).
 */
function withPoint(digits: string, hasThreeDecimals: boolean): string | undefined {
  // No test: `minorOf` refuses what is no number, too
  if (!/^\d+([.,]\d*)*$/.test(digits)) return undefined
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last === -1) return digits
  const fraction = digits.slice(last + 1)
  const whole = digits.slice(0, last)
  const mark = digits[last] ?? ''
  const mayBeThousands = fraction.length === 3 && !whole.startsWith('0')
  const isThousands = mayBeThousands && (!hasThreeDecimals || whole.includes(mark))
  // `1,234.567` pounds
  if (isThousands && /[.,]/.test(whole.replaceAll(mark, ''))) return undefined
  const groups = (isThousands ? digits : whole).split(/[.,]/)
  if (groups.length > 1 && !groups.slice(1).every((group) => group.length === 3)) return undefined
  return isThousands ? groups.join('') : `${groups.join('')}.${fraction}`
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export type DateOrder = 'day_first' | 'month_first'

const numbered = /^(\d\d?)([./-])(\d\d?)\2(\d\d|\d{4})(?:[ ,].*)?$/

/** Only a number above 12 shows the order. With points between the numbers the day always comes first. */
export function orderShownBy(date: string): DateOrder | 'either' | undefined {
  const [, first = '', separator, second = ''] = numbered.exec(date) ?? []
  if (separator === undefined || separator === '.' || Number(first) === Number(second)) return undefined
  const [isDay, isOtherDay] = [Number(first) > 12, Number(second) > 12]
  if (isDay === isOtherDay) return isDay ? undefined : 'either'
  return isDay ? 'day_first' : 'month_first'
}

export function readDay(text: string, order: DateOrder): string | undefined {
  const iso = /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[T ].*)?$/.exec(text)
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const worded = /^(\d\d?)[ -]([a-z]{3})[a-z]*[ -](\d\d|\d{4})(?:[ ,].*)?$/i.exec(text)
  if (worded) {
    const month = months.indexOf((worded[2] ?? '').toLowerCase()) + 1
    return dayOf(yearOf(worded[3] ?? ''), month, Number(worded[1]))
  }
  const parts = numbered.exec(text)
  if (!parts) return undefined
  const [first, second] = [Number(parts[1]), Number(parts[3])]
  const isMonthFirst = order === 'month_first' && parts[2] !== '.'
  return dayOf(yearOf(parts[4] ?? ''), isMonthFirst ? first : second, isMonthFirst ? second : first)
}

function yearOf(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits)
}
