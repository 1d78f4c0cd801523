// Money is whole minor units in a bigint, with a currency. Nothing here turns an amount into a float: 0.1 + 0.2
// must be 0.3 on a receipt.

import { decimalsOf } from './currencies.ts'

export type ParsedAmount = { ok: true; minor: bigint } | { ok: false; rule: string }

export type FeePlan = { readonly basisPoints: number; readonly fixedMinor: bigint }

// Nine whole digits: 999,999,999.99 in major units whatever the currency, so that merchants learn one limit.
const maxWholeDigits = 9 // No test: the next rule refuses ten digits with the same message
const maxHundredths = 99_999_999_999n

// \d is ASCII only here, so '１２' and '१२' do not pass. No redundant leading zeros: '000100050' is a padded
// minor-unit field out of a card file far more often than a price, and reading it as one charges a hundredfold.
const plainDecimal = /^(0|[1-9]\d*)(?:\.(\d+))?$/

// The caller has checked the currency, which has a refusal of its own; an unknown one here is a bug and throws.
//
// Text only: a double has forgotten what was written. 19.99999999999999999 is 20 by then, and 1e3 is 1000.
export function parseAmount(text: string, currency: string): ParsedAmount {
  const decimals = knownDecimals(currency)
  const match = plainDecimal.exec(text)
  if (!match) return refused('must be a plain decimal number such as 1000.50')

  const [, whole = '', fraction = ''] = match
  // Programs that keep four decimals write 10.0000, and 100.00 of a currency that has none: zeros change nothing.
  if (!/^0*$/.test(fraction.slice(decimals))) return refused(tooManyDecimals(decimals, currency))

  // Before BigInt, so that a megabyte of digits costs nothing.
  // No test: saves reading a number of 60,000 digits, which the next rule refuses in the same words
  if (whole.length > maxWholeDigits) return refused('must be at most 999,999,999.99')

  const minor = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  if (minor === 0n) return refused('must be more than zero')
  if (minor * 100n > maxHundredths * 10n ** BigInt(decimals)) return refused('must be at most 999,999,999.99')
  return { ok: true, minor }
}

function refused(rule: string): ParsedAmount {
  return { ok: false, rule: `amount ${rule}` }
}

function tooManyDecimals(decimals: number, currency: string): string {
  return decimals === 0
    ? `must have no decimals for ${currency}`
    : `must have at most ${decimals} decimals for ${currency}`
}

// The public format: `1,234.50`. At least two decimals even for yen, because clients were promised two.
export function formatAmount(minor: bigint, currency: string): string {
  const { sign, whole, fraction } = split(minor, knownDecimals(currency))
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(2, '0')}`
}

// For exports and for sending back to us: what parseAmount accepts, with the currency's own decimals.
export function plainAmount(minor: bigint, currency: string): string {
  const { sign, whole, fraction } = split(minor, knownDecimals(currency))
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

// Totals can be negative (refunds beyond sales), so the sign is taken off before the digits are cut.
function split(minor: bigint, decimals: number): { sign: string; whole: string; fraction: string } {
  // No test: minus zero is zero
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return { sign: minor < 0n ? '-' : '', whole: digits.slice(0, point), fraction: digits.slice(point) }
}

// As people write it: `£1,234.50`. Intl formats a decimal string exactly, where a number would be rounded
// beyond 2^53; the decimals are forced to ISO's, since Intl has its own for some currencies.
export function displayAmount(minor: bigint, currency: string, locale: string): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a plain amount is numeric by construction
  const plain = plainAmount(minor, currency) as Intl.StringNumericLiteral
  const text = formatterFor(currency, locale).format(plain)
  // A minus as wide as a figure, where most languages of Intl have a hyphen, which a line may break after.
  return minor < 0n ? text.replace('-', '\u2212') : text
}

/** `£`, or the code where the language has no sign for it. */
export function currencySign(currency: string, locale: string): string {
  const parts = formatterFor(currency, locale).formatToParts(0)
  return parts.find(({ type }) => type === 'currency')?.value ?? currency
}

/** `20%` or `20 %`, as the language writes it; of percent in plain digits, such as `5.5`. */
export function displayPercent(percent: string, locale: string): string {
  const formatter = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- plain digits by construction
  return formatter.format(`${percent}E-2` as Intl.StringNumericLiteral)
}

// A formatter takes some 17 µs to make and 1 µs to use. The locale may come from a browser, so the cache
// has a limit: a stranger inventing locales must not fill the memory.
const maxFormatters = 500
const formatters = new Map<string, Intl.NumberFormat>()

function formatterFor(currency: string, locale: string): Intl.NumberFormat {
  const key = `${currency} ${locale}`
  const cached = formatters.get(key)
  if (cached) return cached // No test: a cache: the result is the same

  const decimals = knownDecimals(currency)
  const formatter = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  if (formatters.size >= maxFormatters) formatters.clear() // No test: a cache: the result is the same
  formatters.set(key, formatter) // No test: a cache: the result is the same
  return formatter
}

// Rounded half up to the minor unit. Not capped at the amount: the plan is what the merchant agreed to, and a cap
// would quietly change it for small payments.
export function feeOf(minor: bigint, plan: FeePlan): bigint {
  if (minor < 0n || plan.basisPoints < 0 || plan.fixedMinor < 0n) {
    throw new RangeError('a fee needs an amount and a plan that are not negative')
  }
  const percentage = (minor * BigInt(plan.basisPoints) + 5_000n) / 10_000n
  return percentage + plan.fixedMinor
}

function knownDecimals(currency: string): number {
  const decimals = decimalsOf(currency)
  if (decimals === undefined) throw new RangeError(`${currency} is not an ISO 4217 currency`)
  return decimals
}
