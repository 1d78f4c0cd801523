import { randomHex } from '../../../src/platform/database/random-id.ts'

// What Stripe knows: sessions, payment intents, refunds, disputes and every booking, as its objects.

export type Metadata = Readonly<Record<string, string>>

export type Session = {
  readonly id: string
  readonly object: 'checkout.session'
  readonly amount_total: number
  readonly currency: string
  readonly created: number
  readonly expires_at: number
  readonly livemode: false
  readonly mode: 'payment'
  readonly ui_mode: 'hosted_page'
  readonly metadata: Metadata
  readonly client_reference_id: string | null
  readonly customer_email: string | null
  readonly success_url: string
  readonly cancel_url: string | null
  readonly customer_creation: 'always' | 'if_required'
  readonly line_items?: readonly { description: string; quantity: number; amount_total: number }[]
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  payment_intent: string | null
  customer: string | null
  url: string | null
}

export type SavedCard = {
  readonly id: string
  readonly object: 'payment_method'
  readonly type: 'card'
  readonly card: {
    readonly brand: string
    readonly last4: string
    readonly exp_month: number
    readonly exp_year: number
  }
  /** Null: detached, and no longer of use. */
  customer: string | null
}

/** How the bank takes a charge without the customer. */
export type LaterCharge =
  | 'succeeded'
  | 'processing'
  | { readonly code: string; readonly decline_code?: string; readonly advice_code?: string }

export type UnpaidStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'requires_capture'
  | 'processing'
  | 'canceled'

export type Intent = {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  readonly currency: string
  readonly metadata: Metadata
  readonly description: string | null
  readonly statement_descriptor_suffix: string | null
  readonly created: number
  readonly setup_future_usage: 'off_session' | null
  customer: string | null
  payment_method: string | null
  amount_received: number
  status: UnpaidStatus | 'succeeded'
  last_payment_error: Exclude<LaterCharge, string> | null
}

export type Refund = {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly metadata: Metadata
  readonly payment_intent: string
  readonly charge: string
  failure_reason?: string
  status: NewRefundStatus | 'failed' | 'canceled'
}

/** `requires_action`: the customer has to say where the money should go. */
export type NewRefundStatus = 'pending' | 'requires_action' | 'succeeded'

export type OpenDisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'needs_response'
  | 'under_review'
  | 'appeal_needs_response'
  | 'appeal_under_review'
export type ClosedDisputeStatus = 'won' | 'lost' | 'warning_closed' | 'prevented'

export type Dispute = {
  readonly id: string
  readonly created: number
  readonly object: 'dispute'
  readonly amount: number
  readonly currency: string
  readonly payment_intent: string
  readonly charge: string
  readonly reason: string
  metadata: Metadata
  evidence: Readonly<Record<string, string>>
  readonly evidence_details: { readonly due_by: number; submission_count: number }
  /** The money that was taken, and given back. */
  readonly balance_transactions: { readonly amount: number }[]
  status: OpenDisputeStatus | ClosedDisputeStatus
}

export type UploadedFile = {
  readonly id: string
  readonly object: 'file'
  readonly created: number
  readonly filename: string
  readonly purpose: 'dispute_evidence'
  readonly size: number
  readonly type: string
}

export type Booking = {
  readonly id: string
  readonly object: 'balance_transaction'
  readonly type: string
  readonly amount: number
  readonly fee: number
  readonly net: number
  readonly currency: string
  readonly created: number
  readonly available_on: number
  readonly exchange_rate: number | null
  readonly fee_details: readonly {
    readonly amount: number
    readonly currency: string
    readonly type: string
  }[]
  readonly source: object
}

export type PayoutStatus = 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled'

export type Payout = {
  readonly id: string
  readonly object: 'payout'
  readonly amount: number
  readonly currency: string
  readonly created: number
  readonly arrival_date: number
  readonly automatic: boolean
  readonly statement_descriptor: string | null
  failure_code: string | null
  failure_message: string | null
  status: PayoutStatus
  reconciliation_status: 'completed' | 'in_progress' | 'not_applicable'
  trace_id: { readonly status: string; readonly value: string | null } | null
}

export type Endpoint = {
  readonly id: string
  readonly object: 'webhook_endpoint'
  readonly url: string
  readonly enabled_events: readonly string[]
  readonly status: 'enabled'
}

export type StripeBooks = ReturnType<typeof makeStripeBooks>

export function makeId(prefix: string): string {
  return `${prefix}_${randomHex(24)}`
}

export function makeStripeBooks(now: () => Date) {
  const sessions = new Map<string, Session>()
  /** By their session, and charges without the customer by their own name. */
  const intents = new Map<string, Intent>()
  const cards = new Map<string, SavedCard>()
  const customers = new Map<string, { readonly id: string; metadata: Metadata }>()
  const refunds = new Map<string, Refund>()
  const disputes = new Map<string, Dispute>()
  const files = new Map<string, UploadedFile>()
  const endpoints = new Map<string, Endpoint>()
  const payouts = new Map<string, Payout>()
  /** Which payout a booking is in. */
  const paidIn = new Map<string, string>()
  const bookings: Booking[] = []
  const seconds = (): number => Math.floor(now().getTime() / 1_000)

  function book(type: string, amount: number, currency: string, source: object): void {
    const fee = type === 'charge' ? Math.round(amount * 0.015) + 20 : 0
    bookings.push(makeBooking({ type, amount, fee, currency, source, created: seconds() }))
  }
  /** What of a charge is neither refunded nor on its way back. */
  function unrefunded(intent: Intent): number {
    const back = [...refunds.values()].filter(
      ({ payment_intent, status }) =>
        payment_intent === intent.id && status !== 'failed' && status !== 'canceled',
    )
    return intent.amount_received - back.reduce((sum, { amount }) => sum + amount, 0)
  }
  /** Pages end by themselves. */
  function find(id: string): Session | undefined {
    const session = sessions.get(id)
    if (session?.status === 'open' && session.expires_at <= seconds()) expire(session)
    return session
  }
  function expire(session: Session): void {
    session.status = 'expired'
    session.url = null
  }
  function charge(intent: Intent): void {
    intent.amount_received = intent.amount
    intent.status = 'succeeded'
    book('charge', intent.amount, intent.currency, {
      id: intent.id.replace('pi_', 'ch_'),
      object: 'charge',
      amount: intent.amount,
      currency: intent.currency,
      payment_intent: intent.id,
      metadata: intent.metadata,
    })
  }
  return {
    sessions,
    intents,
    cards,
    customers,
    refunds,
    disputes,
    files,
    endpoints,
    payouts,
    paidIn,
    bookings,
    seconds,
    book,
    unrefunded,
    find,
    expire,
    charge,
  }
}

function makeBooking(
  of: Pick<Booking, 'type' | 'amount' | 'fee' | 'currency' | 'source' | 'created'>,
): Booking {
  const { amount, fee, currency, created } = of
  return {
    id: makeId('txn'),
    object: 'balance_transaction',
    ...of,
    net: amount - fee,
    available_on: created + 2 * 86_400,
    exchange_rate: null,
    fee_details: fee === 0 ? [] : [{ amount: fee, currency, type: 'stripe_fee' }],
  }
}
