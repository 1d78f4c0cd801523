import { decimalsOf } from '../../platform/money/currencies.ts'
import type { AmountLimits } from '../../core/networks/hosted.ts'

// Stripe's units, which are ISO's with exceptions (docs.stripe.com/currencies, read in November 2026). Codes that ISO
// has retired since, such as STD, are left out.

const twoDecimals =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK ' +
  'DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR ' +
  'LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD ' +
  'RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW'
/** MGA has two decimals by ISO, and none at Stripe. */
const noDecimals = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'
/** No decimals by ISO; Stripe wants two, both of them 0. */
const noDecimalsWrittenAsTwo = 'ISK UGX'
/** The last digit must be 0. */
const threeDecimals = 'BHD JOD KWD OMR TND'

type Unit = { readonly decimals: number; readonly step: bigint }

const units: ReadonlyMap<string, Unit> = new Map(
  (
    [
      [twoDecimals, { decimals: 2, step: 1n }],
      [noDecimals, { decimals: 0, step: 1n }],
      [noDecimalsWrittenAsTwo, { decimals: 2, step: 100n }],
      [threeDecimals, { decimals: 3, step: 10n }],
    ] as const
  ).flatMap(([codes, unit]) => codes.split(' ').map((code) => [code, unit] as const)),
)

export const stripeCurrencies: readonly string[] = [...units.keys()]

/** In Stripe's units, by the currency that the account is paid out in, which is mostly that of the charge. */
const leastByCurrency: Readonly<Record<string, bigint>> = {
  AED: 200n,
  CZK: 1_500n,
  DKK: 250n,
  GBP: 30n,
  HKD: 400n,
  HUF: 17_500n,
  JPY: 50n,
  KRW: 50n,
  MXN: 1_000n,
  MYR: 200n,
  NOK: 300n,
  PLN: 200n,
  RON: 200n,
  SEK: 300n,
  THB: 1_000n,
}
const leastIsHalf = new Set('ARS AUD BRL CAD CHF COP EUR IDR ILS INR NZD PHP RUB SGD USD ZAR'.split(' '))
/** Twelve digits. Some card brands take less; Stripe's page says so. */
const mostAtStripe = 999_999_999_999n

/** Undefined when Stripe has no way to write this amount: the third decimal of a dinar, or a cent of an ariary. */
export function toStripe(minor: bigint, currency: string): bigint | undefined {
  const unit = units.get(currency)
  const ours = decimalsOf(currency)
  if (!unit || ours === undefined) return undefined
  const scaled = minor * 10n ** BigInt(unit.decimals)
  const ourScale = 10n ** BigInt(ours)
  if (scaled % ourScale !== 0n) return undefined
  const amount = scaled / ourScale
  return amount % unit.step === 0n ? amount : undefined
}

/** Throws where Stripe names an amount that we can't hold: it must never be rounded into another one. */
export function fromStripe(amount: number, currency: string): { amountMinor: bigint; currency: string } {
  const code = currency.toUpperCase()
  const ours = decimalsOf(code)
  if (ours === undefined || !Number.isSafeInteger(amount))
    throw new RangeError(`Stripe said ${amount} ${code}`)
  const scaled = BigInt(amount) * 10n ** BigInt(ours)
  const scale = 10n ** BigInt(units.get(code)?.decimals ?? ours)
  if (scaled % scale !== 0n) throw new RangeError(`Stripe said ${amount} ${code}, a fraction of our unit`)
  return { amountMinor: scaled / scale, currency: code }
}

export function stripeLimits(currency: string): AmountLimits {
  const unit = units.get(currency)
  const ours = decimalsOf(currency)
  if (!unit || ours === undefined) return { least: 1n, most: 0n }
  const inOurs = (amount: bigint): bigint => (amount * 10n ** BigInt(ours)) / 10n ** BigInt(unit.decimals)
  const step = inOurs(unit.step)
  const least = inOurs(leastByCurrency[currency] ?? (leastIsHalf.has(currency) ? 50n : unit.step))
  return { least, most: (inOurs(mostAtStripe) / step) * step, ...(step > 1n && { step }) }
}
