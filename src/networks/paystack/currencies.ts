import { decimalsOf } from '../../platform/money/currencies.ts'
import type { AmountLimits, PaymentMethod } from '../../core/networks/hosted.ts'

// What Paystack takes, by currency: its channels as our methods, and its amounts. The least amounts are the "transaction
// minimum" of the table "Supported Currency" at paystack.com/docs/api, the most and the least of a transfer are in its list
// of errors ("Transaction amount limit exceeded", "Pay with transfer is not currently supported …"); read in November 2026.

type Channel = 'card' | 'bank' | 'bank_transfer' | 'ussd' | 'eft' | 'mobile_money'
type Taken = {
  readonly channels: Partial<Readonly<Record<PaymentMethod, readonly Channel[]>>>
  readonly least: bigint
  /** Where a method takes no less. */
  readonly leastBy?: Partial<Readonly<Record<PaymentMethod, bigint>>>
}

const card = { card: ['card'] } as const
const mobileMoney = { mobile_money: ['mobile_money'] } as const

const taken: Readonly<Record<string, Taken>> = {
  // Transfers start at 100 naira. With USSD the customer dials a code of their bank.
  NGN: {
    channels: { ...card, bank: ['bank', 'bank_transfer', 'ussd'] },
    least: 5_000n,
    leastBy: { bank: 10_000n },
  },
  GHS: { channels: { ...card, ...mobileMoney }, least: 10n },
  KES: { channels: { ...card, ...mobileMoney }, least: 300n },
  ZAR: { channels: { ...card, bank: ['eft'] }, least: 100n },
  USD: { channels: card, least: 200n },
  XOF: { channels: { ...card, ...mobileMoney }, least: 1n },
}

/** Ten million of every currency. */
const mostUnits = 10_000_000n
/** Amounts are sent in hundredths of every currency, also of one that has none, such as XOF. */
const decimals = 2

export function toPaystack(minor: bigint, currency: string): number {
  return Number(minor * 10n ** BigInt(decimals - (decimalsOf(currency) ?? decimals)))
}

/** A fraction of our unit is left out, which is what Paystack does with a fraction of a franc. */
export function fromPaystack(amount: number, currency: string): bigint {
  return BigInt(amount) / 10n ** BigInt(decimals - (decimalsOf(currency) ?? decimals))
}

export const paystackCurrencies: readonly string[] = Object.keys(taken)

function takenIn(currency: string): Taken | undefined {
  return Object.hasOwn(taken, currency) ? taken[currency] : undefined
}

export function methodsOf(currency: string): readonly PaymentMethod[] {
  return Object.keys(takenIn(currency)?.channels ?? {}) as PaymentMethod[]
}

export function channelsOf(currency: string, method: PaymentMethod): readonly Channel[] {
  return takenIn(currency)?.channels[method] ?? []
}

export function limitsOf(currency: string, method: PaymentMethod): AmountLimits {
  const found = takenIn(currency)
  if (!found) return { least: 1n, most: 0n }
  const most = mostUnits * 10n ** BigInt(decimalsOf(currency) ?? decimals)
  return { least: found.leastBy?.[method] ?? found.least, most }
}
