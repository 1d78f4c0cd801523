// The fields we read from PayPal's resources, as in its REST API.

export type Amount = { readonly currency_code: string; readonly value: string }

export type Link = { readonly rel?: string; readonly href?: string }

export type Capture = {
  readonly id: string
  /** COMPLETED, PENDING, DECLINED, FAILED, PARTIALLY_REFUNDED, REFUNDED */
  readonly status: string
  readonly amount?: Amount
  readonly custom_id?: string
}

export type Refund = {
  readonly id: string
  /** COMPLETED, PENDING, FAILED, CANCELLED */
  readonly status: string
  readonly custom_id?: string
}

export type Order = {
  readonly id: string
  /** CREATED, SAVED, APPROVED, PAYER_ACTION_REQUIRED, VOIDED, COMPLETED */
  readonly status: string
  readonly links?: readonly Link[]
  readonly purchase_units?: readonly {
    readonly payments?: { readonly captures?: readonly Capture[]; readonly refunds?: readonly Refund[] }
  }[]
}

type FundMovement = {
  /** SELLER, BUYER, PAYMENT_PROCESSOR */
  readonly party?: string
  /** DEBIT, CREDIT */
  readonly type?: string
  /** DISPUTE_SETTLEMENT, DISPUTE_SETTLEMENT_FEE, DISPUTE_FEE, CHARGEBACK_FEE */
  readonly reason?: string
}

export type Dispute = {
  readonly dispute_id: string
  /** OPEN, WAITING_FOR_BUYER_RESPONSE, WAITING_FOR_SELLER_RESPONSE, UNDER_REVIEW, RESOLVED, OTHER */
  readonly status: string
  readonly reason?: string
  readonly dispute_amount?: Amount
  readonly seller_response_due_date?: string
  readonly disputed_transactions?: readonly {
    readonly seller_transaction_id?: string
    /** The capture's `custom_id`. */
    readonly custom?: string
  }[]
  readonly dispute_outcome?: { readonly outcome_code?: string }
  /** Who gained or lost how much: named so in PayPal's pages, and the other way in its specification. */
  readonly fund_movements?: readonly FundMovement[]
  readonly money_movements?: readonly (Omit<FundMovement, 'party'> & { readonly affected_party?: string })[]
}

export type TransactionInfo = {
  readonly transaction_id: string
  readonly paypal_reference_id?: string
  /** `T0006`: a letter, two digits of the group, two of the kind. */
  readonly transaction_event_code: string
  readonly transaction_initiation_date: string
  readonly transaction_amount: Amount
  readonly fee_amount?: Amount
  /** S: done. P: pending. D: denied. V: reversed. */
  readonly transaction_status: string
  readonly custom_field?: string
  readonly bank_reference_id?: string
}

export type Webhook = {
  readonly id: string
  readonly url: string
  readonly event_types?: readonly { readonly name: string }[]
}

/** Lists, by the member that holds them. */
export type Lists = {
  readonly items: Dispute
  readonly links: Link
  readonly transaction_details: { readonly transaction_info: TransactionInfo }
  readonly balances: { readonly total_balance: Amount }
  readonly webhooks: Webhook
}
