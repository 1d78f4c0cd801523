import type { ChargeRequest, PaymentRequest, RefundRequest } from './types.ts'

// Amounts go in as whole minor units (pence, cents, yen) or as decimal text. A JavaScript number such as 10.1 is refused: it isn't exactly
// ten pounds ten.

/** One of the two. */
export type Money =
  | { readonly amount: string; readonly amount_minor?: never }
  | { readonly amount_minor: number | bigint; readonly amount?: never }

export type NewPayment = Omit<PaymentRequest, keyof Money> & Money
export type NewCharge = Omit<ChargeRequest, keyof Money> & Money
export type NewRefund = Omit<RefundRequest, keyof Money | 'refund_ref'> & {
  /** Your reference. The client makes one up if you leave it out. */
  readonly refund_ref?: string
  /** Of the payment; needed with amount_minor. */
  readonly currency?: string
} & (Money | { readonly amount?: never; readonly amount_minor?: never })

const decimalsOfOthers: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
  CLF: 4,
  UYW: 4,
}

export function decimalsOf(currency: string): number {
  return decimalsOfOthers[currency.toUpperCase()] ?? 2
}

/** `1234` GBP → `12.34` */
export function toDecimal(minor: number | bigint, currency: string): string {
  if (typeof minor === 'number' && !Number.isSafeInteger(minor))
    throw new TypeError('amount_minor must be a whole number of minor units, such as 1050 for £10.50')
  const decimals = decimalsOf(currency)
  const digits = String(minor).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

type WithMoney = { amount?: unknown; amount_minor?: number | bigint }

/** The amount as the API takes it: decimal text. */
export function amountOf(given: WithMoney, currency: string | undefined): string | undefined {
  if (given.amount !== undefined && given.amount_minor !== undefined)
    throw new TypeError('Give amount or amount_minor, not both')
  if (given.amount_minor !== undefined) {
    if (currency === undefined) throw new TypeError('amount_minor needs the currency')
    return toDecimal(given.amount_minor, currency)
  }
  if (given.amount === undefined || typeof given.amount === 'string') return given.amount
  throw new TypeError("amount must be text such as '10.50'; for whole minor units use amount_minor")
}
