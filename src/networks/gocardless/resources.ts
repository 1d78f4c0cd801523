// The fields we read from GoCardless' resources, in version 2015-07-06.

type Metadata = Readonly<Record<string, string>>

export type Resources = {
  readonly billing_requests: {
    readonly id: string
    readonly created_at: string
    /** pending, ready_to_fulfil, fulfilling, fulfilled, cancelled */
    readonly status: string
    readonly metadata?: Metadata
    readonly links?: {
      readonly payment_request_payment?: string
      readonly mandate_request_mandate?: string
    }
    readonly resources?: {
      readonly customer_bank_account?: {
        readonly bank_name?: string | null
        readonly account_number_ending?: string
      } | null
    }
  }
  readonly billing_request_flows: { readonly id: string; readonly authorisation_url?: string }
  readonly payments: {
    readonly id: string
    readonly status: string
    readonly amount: number
    readonly currency: string
    readonly metadata?: Metadata
  }
  readonly mandates: { readonly id: string; readonly status: string; readonly metadata?: Metadata }
  readonly events: {
    readonly id: string
    /** confirmed, failed, charged_back, … */
    readonly action: string
    readonly details?: { readonly cause?: string }
    readonly links?: { readonly payment?: string }
  }
  readonly refunds: { readonly id: string; readonly status: string; readonly metadata?: Metadata }
  readonly payouts: {
    readonly id: string
    readonly amount: number
    readonly currency: string
    readonly created_at: string
    readonly arrival_date?: string | null
    /** pending, paid, bounced */
    readonly status?: string
    /** merchant, partner */
    readonly payout_type?: string
    /** On the bank's line. */
    readonly reference?: string | null
  }
  readonly payout_items: {
    readonly type: string
    readonly amount: string
    readonly taxes?: readonly {
      readonly amount: string
      readonly currency: string
      readonly destination_amount?: string | null
    }[]
    readonly links?: { readonly payment?: string; readonly refund?: string }
  }
  readonly creditors: { readonly id: string; readonly name?: string }
}
