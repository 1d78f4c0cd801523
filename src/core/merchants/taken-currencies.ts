import { currencyCodes, decimalsOf, isCurrency } from '../../platform/money/currencies.ts'
import type { Merchant } from './authenticate.ts'
import type { Mode } from './mode.ts'

// The currencies a merchant can be paid in. Test mode accepts every currency, since no network is asked. Live mode
// accepts those of the merchant's networks, minus disabled ones; before the first network is connected, the enabled
// ones.

/** The currencies of a merchant's networks; undefined: none is connected. */
export type NetworkTakes = ((currency: string) => boolean) | undefined

export type Payee = { readonly merchant: Merchant; readonly mode: Mode; readonly networkTakes?: NetworkTakes }

export function takesCurrency({ merchant, mode, networkTakes }: Payee, code: string): boolean {
  if (!isCurrency(code)) return false
  if (mode === 'test') return true
  if (merchant.currenciesOff.has(code)) return false
  return networkTakes ? networkTakes(code) : merchant.currencies.has(code)
}

/** In alphabetical order. */
export function takenCurrencies(payee: Payee): string[] {
  return currencyCodes.filter((code) => takesCurrency(payee, code))
}

/** For people who choose: what the merchant switched on, then everything else. */
export function currencyChoices(payee: Payee): string[] {
  const taken = takenCurrencies(payee)
  const isOwn = (code: string): boolean => payee.merchant.currencies.has(code)
  return [...taken.filter(isOwn), ...taken.filter((code) => !isOwn(code))]
}

/** What to do about a currency that isn't accepted. */
export function currencyAdvice(payee: Payee, code: string): string {
  if (!isCurrency(code)) return 'use an ISO 4217 code such as GBP'
  if (payee.merchant.currenciesOff.has(code)) return 'switch it on in the payment settings'
  if (!payee.networkTakes) return 'switch it on in the payment settings, or connect a network that takes it'
  const taken = takenCurrencies(payee)
  const list = taken.length > shownMax ? [...taken.slice(0, shownMax), '…'] : taken
  return `your networks don't take it, use one of ${list.join(', ')}`
}

const shownMax = 10

const startingFeeHundredths = 20n // 0.20 of the currency's major unit, from the start

/** The fixed part of the fee, in minor units: as the operator set it, or as it is from the start. */
export function fixedFeeOf({ currencies, currenciesOff }: Merchant, code: string): bigint {
  return currencies.get(code) ?? currenciesOff.get(code) ?? startingFee(code) ?? 0n
}

/** Undefined for a code that is no currency. */
export function startingFee(code: string): bigint | undefined {
  const decimals = decimalsOf(code)
  return decimals === undefined ? undefined : (startingFeeHundredths * 10n ** BigInt(decimals)) / 100n
}
