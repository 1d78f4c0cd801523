// What we read of Paystack's resources, as its OpenAPI document of 2025-10-24 writes them.

export type Resources = {
  readonly transaction: {
    readonly reference: string
    /** success, failed, abandoned, ongoing, pending, processing, queued, reversed */
    readonly status: string
    /** In subunits, as all amounts. */
    readonly amount: number
    readonly currency: string
    readonly fees?: number | null
    readonly metadata?: unknown
    readonly paid_at?: string | null
    readonly created_at?: string
    /** The bank's words about a charge. */
    readonly gateway_response?: string | null
    /** A charge of a saved card that waits for its customer. */
    readonly paused?: boolean
    readonly customer?: { readonly email?: string } | null
    readonly authorization?: {
      readonly authorization_code?: string
      readonly reusable?: boolean
      readonly channel?: string
      readonly brand?: string | null
      readonly last4?: string | null
      readonly exp_month?: string | null
      readonly exp_year?: string | null
    } | null
  }
  readonly refund: {
    readonly id: number
    /** pending, processing, processed, failed, needs-attention */
    readonly status: string
    readonly amount: number
    readonly currency: string
    readonly merchant_note?: string | null
    readonly transaction_reference?: string
    readonly deducted_amount?: number | null
    /** Of the payout that it was taken from. */
    readonly settlement?: number | string | null
    readonly dispute?: number | string | null
    readonly createdAt: string
  }
  readonly dispute: {
    readonly id: number
    /** awaiting-merchant-feedback, awaiting-bank-feedback, pending, resolved */
    readonly status: string
    /** merchant-accepted, auto-accepted, declined; null until it is resolved. */
    readonly resolution?: string | null
    readonly refund_amount: number | null
    readonly currency: string | null
    readonly category?: string | null
    readonly dueAt?: string | null
    readonly transaction?: {
      readonly reference?: string
      readonly amount?: number
      readonly currency?: string
      readonly metadata?: unknown
    } | null
  }
  readonly settlement: {
    readonly id: number
    /** success, processing, pending, failed */
    readonly status: string
    readonly currency: string
    /** What the bank gets: gross less fees less what was deducted. */
    readonly effective_amount: number
    readonly settlement_date?: string | null
    readonly createdAt: string
  }
}
