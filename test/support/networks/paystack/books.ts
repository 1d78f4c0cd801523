// What Paystack knows: transactions, refunds, disputes and settlements, as its resources.

export type PaystackAction = 'pay' | 'refuse' | 'transfer' | 'cancel'

export const transactionStatuses = [
  'abandoned',
  'ongoing',
  'pending',
  'processing',
  'queued',
  'failed',
  'success',
  'reversed',
] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export type Transaction = {
  readonly id: number
  readonly domain: 'test'
  readonly reference: string
  readonly access_code: string
  /** What was asked for; a transfer may bring another amount. */
  readonly requested_amount: number
  amount: number
  readonly currency: string
  readonly email: string
  readonly channels: readonly string[]
  readonly callback_url: string
  readonly metadata: Readonly<Record<string, string>>
  readonly created_at: string
  gateway_response: string | null
  /** The code of the card that paid it. */
  authorization: string | null
  paused: boolean
  paid_at: string | null
  fees: number | null
  status: TransactionStatus
  /** The payout that it is in. */
  settlement: number | null
}

export type Authorization = {
  readonly authorization_code: string
  readonly email: string
  readonly card: Readonly<Record<string, string | boolean>>
  active: boolean
}

/** How the bank takes a charge without the customer, in its own words. */
export type LaterCharge = 'success' | 'paused' | { readonly says: string }

export const refundStatuses = ['pending', 'processing', 'processed', 'failed', 'needs-attention'] as const
export type RefundStatus = (typeof refundStatuses)[number]

export type Refund = {
  readonly id: number
  readonly transaction: number
  readonly transaction_reference: string
  readonly amount: number
  readonly deducted_amount: number
  readonly currency: string
  readonly merchant_note: string | null
  readonly createdAt: string
  readonly dispute: number | null
  settlement: number | null
  status: RefundStatus
}

export type Dispute = {
  readonly id: number
  readonly reference: string
  readonly refund_amount: number
  readonly currency: string
  readonly category: 'chargeback' | 'fraud' | 'general'
  readonly createdAt: string
  readonly dueAt: string
  status: 'awaiting-merchant-feedback' | 'awaiting-bank-feedback' | 'pending' | 'resolved'
  resolution: string | null
}

export type SettlementStatus = 'success' | 'processing' | 'pending' | 'failed'

export type Settlement = {
  readonly id: number
  readonly domain: 'test'
  readonly currency: string
  readonly total_processed: number
  readonly total_fees: number
  readonly total_amount: number
  readonly effective_amount: number
  readonly settlement_date: string
  readonly createdAt: string
  status: SettlementStatus
}

/** Every naira that moved, in subunits. */
export type Entry = {
  readonly kind: 'charge' | 'refund' | 'refund_home'
  readonly reference: string
  readonly amount: number
}

export type PaystackBooks = ReturnType<typeof makePaystackBooks>

export function makePaystackBooks(now: () => Date) {
  let last = 4_099_260_000
  return {
    now: (): string => now().toISOString(),
    later: (ms: number): string => new Date(now().getTime() + ms).toISOString(),
    nextId: (): number => (last += 1),
    /** By reference. */
    transactions: new Map<string, Transaction>(),
    authorizations: new Map<string, Authorization>(),
    refunds: new Map<string, Refund>(),
    disputes: new Map<string, Dispute>(),
    settlements: new Map<string, Settlement>(),
    ledger: [] as Entry[],
  }
}

/** What Paystack has of a transaction, by its ledger. */
export function keptOf({ ledger }: PaystackBooks, reference: string): number {
  return ledger.filter((each) => each.reference === reference).reduce((sum, { amount }) => sum + amount, 0)
}
