// The contract between payments and a network that takes card details on our own page: an order goes in, an outcome
// comes out. Only the test network is one, and the type says so: no live card number can ever reach us. A connector only
// translates; attempts, retries and states are decided in payments. connector.test.ts holds every connector to it.

import type { Sql } from '../../platform/database/sql.ts'
import type { DisputeReplies } from './dispute-replies.ts'
import type { PayoutReports } from './payout-reports.ts'

export type Money = { readonly amountMinor: bigint; readonly currency: string }

export type CardDetails = {
  /** Digits, with or without spaces. */
  readonly number: string
  readonly expiryMonth: number
  /** Four digits. */
  readonly expiryYear: number
  readonly cvc: string
}

/** All that may be kept of a card. */
export type CardSummary = { readonly brand: string; readonly last4: string }

export type OrderKey = {
  readonly merchantId: number
  readonly paymentNumber: string
  /** The same key never charges twice, however often it is sent. */
  readonly idempotencyKey: string
}

export type Order = OrderKey &
  Money & {
    readonly mode: 'test'
    readonly card: CardDetails
    /** The customer agreed that the card is saved for later charges. */
    readonly save?: true | undefined
  }

/** What a network lets us charge again. A debit moves in days and can come back. */
export const savedMethodKinds = ['card', 'debit'] as const

/** A method that a network saved, as it says when the payment that saves it is charged. */
export type SavedMethod = {
  /** The network's token, all that `chargeSaved` and `forget` get. It is stored sealed and never shown. */
  readonly reference: string
  readonly kind: (typeof savedMethodKinds)[number]
  /** `Visa`, or the name of a bank. */
  readonly brand?: string | undefined
  readonly last4?: string | undefined
  /** The month in which it ends: `2029-08`. */
  readonly expires?: string | undefined
}

/** A charge of a saved method. `token`: the method's `reference`. */
export type SavedOrder = OrderKey &
  Money & {
    readonly token: string
    /** The customer is there and pressed the button; undefined: by an earlier agreement, without them. */
    readonly isPresent?: true | undefined
  }

export const declineReasons = [
  'declined',
  'insufficient_funds',
  'expired_card',
  'wrong_cvc',
  'processing_error',
  'challenge_refused',
  'challenge_abandoned',
  /** Without the customer only: their bank wants to ask them. The same order can't charge any more. */
  'needs_customer',
  /** Without the customer only, and for good: stolen, closed, revoked. The method must never be charged again. */
  'method_ended',
  /** The network never got the order, and can't charge it any more. Not a decline. */
  'network_silent',
] as const
export type DeclineReason = (typeof declineReasons)[number]

export type Outcome =
  | {
      readonly kind: 'charged'
      readonly connectorReference: string
      /** For an order with `save`, in every answer that says it is charged. */
      readonly savedMethod?: SavedMethod | undefined
    }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** The customer must approve on the 3-D Secure page first; nothing is charged yet. */
  | { readonly kind: 'action_required'; readonly connectorReference: string }
  /** Nobody knows whether the money moved. */
  | { readonly kind: 'no_answer' }

export type Status =
  | Exclude<Outcome, { kind: 'no_answer' }>
  /** The network has the order and has not decided. */
  | { readonly kind: 'pending' }
  /** The network has never seen the order; it may still be on its way. */
  | { readonly kind: 'not_found' }

/** A network's report of a dispute: a customer's bank asking for its money back. */
export type DisputeStatus = {
  /** `evidence_due`: the merchant has to answer. `under_review`: nothing to do but wait. */
  readonly kind: 'evidence_due' | 'under_review' | 'won' | 'lost'
  /** The money is with the bank now, for the time being or for good. Many networks take it when a dispute is opened. */
  readonly moneyTaken: boolean
  readonly disputeReference: string
  /** As in the answer to the charge. */
  readonly chargeReference: string
  readonly money: Money
  /** In the network's word: `fraudulent`. */
  readonly reason: string
  readonly evidenceDueAt?: Date | undefined
  /** Our metadata on the order, if the network repeats it. */
  readonly order?: Partial<OrderKey> | undefined
}

/** A dispute that there is something new of. */
export type DisputeNews = { readonly merchantId: number; readonly disputeReference: string }

export type RefundOrder = Money & {
  readonly merchantId: number
  readonly refundId: string
  readonly idempotencyKey: string
  readonly requestedAt: Date
  readonly connectorReference: string
  readonly chargeReference: string
  /** How much of the charge was refunded before, and its full amount: networks ask for the total as a check. */
  readonly refundedBeforeMinor: bigint
  readonly chargedMinor: bigint
  /** The network's id of the refund; undefined if that answer was lost. */
  readonly refundReference?: string | undefined
}

export type RefundStatus =
  | { readonly kind: 'submitted'; readonly refundReference: string }
  | { readonly kind: 'succeeded'; readonly refundReference: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly refundReference?: string | undefined }
  | { readonly kind: 'not_found' }

/**
 * Every call ends when `signal` does, which the caller sets, and may throw: both count as no answer. No call is made
 * inside a database transaction.
 */
export type FormConnector = {
  readonly kind: 'form'
  readonly name: string
  readonly mode: 'test'
  /** Undefined when this network does not take the card. Reads the number and keeps nothing of it. */
  readCard(card: CardDetails): CardSummary | undefined
  charge(order: Order, signal: AbortSignal): Promise<Outcome>
  /** The customer's answer on the 3-D Secure page. The first one counts. */
  continueAfterChallenge(order: OrderKey, answer: 'approve' | 'refuse', signal: AbortSignal): Promise<Outcome>
  fetchStatus(order: OrderKey, signal: AbortSignal): Promise<Status>
  /**
   * Charges a saved method; answers `action_required` only if the customer is present. Afterwards `fetchStatus` and `withdraw` know the order like
   * any other.
   */
  chargeSaved?(order: SavedOrder, signal: AbortSignal): Promise<Outcome>
  /** Ends a saved method at the network. Done twice, or for one that is gone, it is no mistake. */
  forget?(method: { readonly merchantId: number; readonly token: string }, signal: AbortSignal): Promise<void>
  /**
   * Ends what can still be ended: an unanswered challenge, or an order that never arrived (`network_silent`, also to the
   * order itself if it comes later). The key can't charge afterwards, so a request stuck on the way does no harm. Decided
   * orders stay as they are.
   */
  withdraw(order: OrderKey, signal: AbortSignal): Promise<Outcome>
  /** The same key never refunds twice; more than was charged is never refunded. */
  refund(refund: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
  fetchRefund(refund: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
  /** What another network would send as callbacks, at least once; this one runs in the same process and is asked. */
  newsOfDisputes?(max: number): Promise<readonly DisputeNews[]>
  /** When there will be news; the worker asks for them then. */
  readonly nextNewsOfDisputes?: Sql
  fetchDispute?(news: DisputeNews, signal: AbortSignal): Promise<DisputeStatus | undefined>
  /** Takes a merchant's answer to a dispute. */
  disputeReplies?(merchantId: number): DisputeReplies
  /** Its payouts to a merchant's bank: here each merchant is an account. */
  payoutsTo?(merchantId: number): PayoutReports
  /** Pays out everything it holds at once, to try out payouts. */
  payOutNow?(merchantId: number): Promise<void>
}
