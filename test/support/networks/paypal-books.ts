import { randomText } from '../../../src/platform/database/random-id.ts'

// What PayPal knows: orders, captures, refunds, disputes, webhooks and every booking, as its resources.

export type Amount = { readonly currency_code: string; readonly value: string }

/** What a customer does on the page. `pending`: PayPal reviews the capture. `decline`: their bank will refuse it. */
export type PayPalAction = 'pay' | 'pending' | 'decline' | 'dispute' | 'cancel'

export type CaptureStatus = (typeof captureStatuses)[number]
export const captureStatuses = [
  'COMPLETED',
  'DECLINED',
  'PARTIALLY_REFUNDED',
  'PENDING',
  'REFUNDED',
  'FAILED',
] as const

export type OrderStatus = (typeof orderStatuses)[number]
export const orderStatuses = [
  'CREATED',
  'SAVED',
  'APPROVED',
  'VOIDED',
  'COMPLETED',
  'PAYER_ACTION_REQUIRED',
] as const

export type RefundEnd = 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED'

export type Capture = {
  readonly id: string
  readonly order: string
  readonly amount: Amount
  readonly custom_id: string
  readonly create_time: string
  status: CaptureStatus
}

export type Refund = {
  readonly id: string
  readonly capture: string
  readonly amount: Amount
  readonly custom_id: string
  readonly create_time: string
  status: RefundEnd
}

export type Order = {
  readonly id: string
  readonly amount: Amount
  readonly custom_id: string
  readonly description: string
  readonly lines: readonly string[]
  readonly return_url: string
  readonly cancel_url: string
  readonly create_time: string
  /** Every request id that asked for a capture. */
  readonly captureKeys: Set<string>
  status: OrderStatus
  approvedAt?: number
  willBe: PayPalAction
  capture?: string
}

type FundMovement = {
  readonly party: string
  readonly type: 'DEBIT' | 'CREDIT'
  readonly amount: Amount
  readonly reason?: 'DISPUTE_SETTLEMENT' | 'DISPUTE_SETTLEMENT_FEE' | 'DISPUTE_FEE' | 'CHARGEBACK_FEE'
}

export type Dispute = {
  readonly dispute_id: string
  readonly create_time: string
  readonly reason: string
  readonly dispute_amount: Amount
  readonly disputed_transactions: readonly { seller_transaction_id: string; custom: string }[]
  /** In PayPal's pages, and in its specification. */
  fund_movements?: readonly FundMovement[]
  money_movements?: readonly (Omit<FundMovement, 'party'> & { affected_party: string })[]
  seller_response_due_date?: string
  status: string
  dispute_outcome?: { outcome_code: string }
}

/** Every penny that moved. */
export type Entry = {
  readonly transaction_id: string
  readonly paypal_reference_id?: string
  readonly transaction_event_code: string
  readonly transaction_initiation_date: string
  readonly transaction_amount: Amount
  readonly fee_amount?: Amount
  transaction_status: 'S' | 'P' | 'D' | 'V'
  readonly custom_field?: string
}

export type Webhook = {
  readonly id: string
  readonly url: string
  readonly event_types: readonly { readonly name: string }[]
}

export function makeId(length = 17): string {
  return randomText('0123456789ABCDEFGHJKLMNPRSTUVWXY', length)
}

const noDecimals = new Set(['HUF', 'JPY', 'TWD'])

export function decimalsAt(currency: string): number {
  return noDecimals.has(currency) ? 0 : 2
}

/** In PayPal's own smallest unit of the currency. */
export function unitsOf({ value, currency_code }: Amount): bigint {
  const [whole = '0', rest = ''] = value.replace('-', '').split('.')
  const units = BigInt(whole + rest.padEnd(decimalsAt(currency_code), '0'))
  return value.startsWith('-') ? -units : units
}

export function amountOf(units: bigint, currency_code: string): Amount {
  const decimals = decimalsAt(currency_code)
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0')
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return { currency_code, value: units < 0n ? `-${text}` : text }
}

export type PayPalBooks = ReturnType<typeof makePayPalBooks>

export function makePayPalBooks(now: () => Date) {
  return {
    nowMs: (): number => now().getTime(),
    now: (): string => `${now().toISOString().slice(0, 19)}Z`,
    orders: new Map<string, Order>(),
    captures: new Map<string, Capture>(),
    refunds: new Map<string, Refund>(),
    disputes: new Map<string, Dispute>(),
    webhooks: new Map<string, Webhook>(),
    ledger: [] as Entry[],
    /** Token and when it ends. */
    tokens: new Map<string, number>(),
    tokensMade: 0,
    certificatesRead: 0,
  }
}
