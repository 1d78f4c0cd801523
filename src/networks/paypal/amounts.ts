import { decimalsOf } from '../../platform/money/currencies.ts'
import type { AmountLimits, Money } from '../../core/networks/hosted.ts'

// PayPal writes amounts as decimal text. Its currencies: developer.paypal.com/reference/currency-codes, read in
// November 2026. BRL, CNY, INR and MYR are left out: only accounts of those countries can be paid in them, and PayPal
// doesn't say where an account is.

const twoDecimals = 'AUD CAD CHF CZK DKK EUR GBP HKD ILS MXN NOK NZD PHP PLN SEK SGD THB USD'
/** HUF and TWD have two decimals by ISO, and an amount with decimals is an error at PayPal. */
const noDecimals = 'HUF JPY TWD'

const decimalsAtPayPal: ReadonlyMap<string, number> = new Map([
  ...twoDecimals.split(' ').map((code) => [code, 2] as const),
  ...noDecimals.split(' ').map((code) => [code, 0] as const),
])

export const payPalCurrencies: readonly string[] = [...decimalsAtPayPal.keys()]

/** Seven digits before the point, which is all that an order has room for. */
const mostUnits = 9_999_999n
/**
 * What a customer with a confirmed account can send at once, by PayPal's help page "What's the maximum amount I can send
 * with my PayPal account?", which names dollars alone and says that some are limited to 10,000. PayPal's own page tells
 * the customer then.
 */
const mostByCurrency: Readonly<Record<string, bigint>> = { USD: 60_000n }

/** Undefined when PayPal has no way to write this amount, such as a fillér. */
export function toPayPal(minor: bigint, currency: string): string | undefined {
  const decimals = decimalsAtPayPal.get(currency)
  const ours = decimalsOf(currency)
  if (decimals === undefined || ours === undefined || minor < 0n) return undefined
  const scale = 10n ** BigInt(ours - decimals)
  if (minor % scale !== 0n) return undefined
  const digits = String(minor / scale).padStart(decimals + 1, '0')
  if (decimals === 0) return digits
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Throws where PayPal names an amount that we can't hold: it must never be rounded into another one. */
export function fromPayPal(amount: unknown): Money {
  const { value, currency_code: currency } = (amount ?? {}) as { value?: unknown; currency_code?: unknown }
  const ours = typeof currency === 'string' ? decimalsOf(currency) : undefined
  const match = typeof value === 'string' ? /^(-?)(\d{0,15})(?:\.(\d{1,10}))?$/.exec(value) : null
  const said = `PayPal said ${String(value).slice(0, 40)} ${String(currency).slice(0, 3)}`
  if (!match || typeof currency !== 'string' || ours === undefined || value === '') throw new RangeError(said)
  const [, sign, whole = '', rest = ''] = match
  if (/[1-9]/.test(rest.slice(ours))) throw new RangeError(`${said}, a fraction of our unit`)
  const minor = BigInt(`${whole}${rest.slice(0, ours).padEnd(ours, '0')}` || '0')
  return { amountMinor: sign === '-' ? -minor : minor, currency }
}

export function payPalLimits(currency: string): AmountLimits {
  const decimals = decimalsAtPayPal.get(currency)
  const ours = decimalsOf(currency)
  if (decimals === undefined || ours === undefined) return { least: 1n, most: 0n }
  const step = 10n ** BigInt(ours - decimals)
  const most = (mostByCurrency[currency] ?? mostUnits) * 10n ** BigInt(ours)
  return { least: step, most, ...(step > 1n && { step }) }
}
