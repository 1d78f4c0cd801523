import { randomText } from '../../../src/platform/database/random-id.ts'
import type { Metadata } from './stripe-books.ts'

// What GoCardless knows: billing requests, their flows, payments, refunds and payouts, as its resources.

export type GoCardlessAction = 'pay' | 'refuse' | 'cancel'

export type BillingRequest = {
  readonly id: string
  readonly created_at: string
  readonly metadata: Metadata
  readonly payment_request: {
    readonly amount: number
    readonly currency: string
    readonly description: string | null
    readonly metadata: Metadata
  }
  readonly mandate_request: { readonly metadata: Metadata } | null
  readonly links: { payment_request_payment?: string; mandate_request_mandate?: string }
  resources: { readonly customer_bank_account: { bank_name: string; account_number_ending: string } } | null
  status: 'pending' | 'ready_to_fulfil' | 'fulfilling' | 'fulfilled' | 'cancelled'
}

export type Flow = {
  readonly id: string
  readonly authorisation_url: string
  readonly redirect_uri: string
  readonly exit_uri: string
  readonly links: { readonly billing_request: string }
}

export type PaymentStatus = (typeof paymentStatuses)[number]
export const paymentStatuses = [
  'pending_customer_approval',
  'pending_submission',
  'submitted',
  'confirmed',
  'paid_out',
  'cancelled',
  'customer_approval_denied',
  'failed',
  'charged_back',
] as const

/** Where a refund can get to. `funds_returned`: the customer's bank sent it home. */
export type RefundEnd =
  | 'pending_submission'
  | 'submitted'
  | 'paid'
  | 'cancelled'
  | 'bounced'
  | 'funds_returned'
  | 'failed'

export type Payment = {
  readonly id: string
  readonly created_at: string
  readonly amount: number
  readonly currency: string
  readonly metadata: Metadata
  /** For a debit. */
  readonly links?: { readonly mandate: string }
  amount_refunded: number
  status: PaymentStatus
}

export type MandateStatus = (typeof mandateStatuses)[number]
export const mandateStatuses = [
  'pending_submission',
  'submitted',
  'active',
  'suspended_by_payer',
  'failed',
  'cancelled',
  'expired',
  'consumed',
  'blocked',
] as const

export type Mandate = {
  readonly id: string
  readonly created_at: string
  readonly metadata: Metadata
  status: MandateStatus
}

/** What is told by callbacks, and can be read later. */
export type Event = {
  readonly id: string
  readonly created_at: string
  readonly resource_type: string
  readonly action: string
  readonly links: Readonly<Record<string, string>>
  readonly details: { readonly origin: string; readonly cause: string; readonly description: string }
  readonly metadata: Metadata
  readonly resource_metadata: Metadata
}

export type Refund = {
  readonly id: string
  readonly created_at: string
  readonly amount: number
  readonly currency: string
  readonly metadata: Metadata
  readonly links: { readonly payment: string }
  status: 'created' | RefundEnd
}

export type PayoutStatus = 'pending' | 'paid' | 'bounced'

export type Payout = {
  readonly id: string
  readonly created_at: string
  readonly amount: number
  readonly currency: string
  readonly arrival_date: string
  readonly deducted_fees: number
  readonly payout_type: 'merchant'
  readonly reference: string
  status: PayoutStatus
  readonly items: readonly {
    type: string
    amount: string
    links: { payment: string; refund?: string }
    taxes?: readonly { amount: string; currency: string; tax_rate_id: string }[]
  }[]
}

/** Every pound that moved. */
export type Entry = { readonly kind: 'payment' | 'refund'; readonly payment: string; readonly amount: number }

export function makeId(prefix: string): string {
  return `${prefix}${randomText('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 12)}`
}

export type GoCardlessBooks = ReturnType<typeof makeGoCardlessBooks>

export function makeGoCardlessBooks(now: () => Date) {
  return {
    now: (): string => now().toISOString(),
    requests: new Map<string, BillingRequest>(),
    flows: new Map<string, Flow>(),
    payments: new Map<string, Payment>(),
    mandates: new Map<string, Mandate>(),
    events: [] as Event[],
    refunds: new Map<string, Refund>(),
    payouts: new Map<string, Payout>(),
    ledger: [] as Entry[],
  }
}
