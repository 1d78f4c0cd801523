// The contract of a network that has a payment page of its own. Florin opens a page, sends the customer there and asks
// what became of it; no card number ever reaches us. A connector only translates: attempts, retries and states are
// decided in payments, the way out is an argument, and so are the credentials.

import type { Account } from '../merchants/accounts/accounts.ts'
import type { Mode } from '../merchants/mode.ts'
import { paymentMethods, type MethodMark, type PaymentMethod } from '../../platform/money/payment-methods.ts'
import type {
  DeclineReason,
  DisputeStatus,
  FormConnector,
  Money,
  OrderKey,
  RefundOrder,
  RefundStatus,
  SavedMethod,
} from './connector.ts'
import type { DisputeReplies } from './dispute-replies.ts'
import type { ReportedBalance, ReportedLine, ReportedPayout } from './payout-reports.ts'

export { paymentMethods, type PaymentMethod }
export type { Account, DisputeStatus, Money, RefundOrder, RefundStatus, SavedMethod }

export type Credential = {
  readonly name: string
  /** A credential's name at the network: `Secret key`. */
  readonly label: string
  /** Can be added later, as the signing secret of callbacks. */
  readonly optional?: true
}

/** `startedAt`: networks forget idempotency keys; later than that nothing is sent again, only fetched. */
export type HostedOrderKey = OrderKey & {
  readonly startedAt: Date
  /** The network's id of the order when it was opened; undefined if that answer was lost. */
  readonly connectorReference?: string | undefined
  /** The token of the saved method that the order charges, without the customer and without a page. */
  readonly token?: string | undefined
}

/** A charge of a saved method. `email`: of the first payment; some networks bind a token to it. */
export type HostedSavedOrder = HostedOrderKey &
  Money & {
    readonly mode: Mode
    readonly token: string
    /** The customer is on our page and pressed the button. A bank that wants more than that is `needs_customer`, too. */
    readonly isPresent?: true | undefined
    readonly email: string
    /** What the customer's statement or the network's own mail may say. */
    readonly description: string
    readonly txRef: string
    readonly statementDescriptor?: string | undefined
  }

export type HostedOrder = HostedOrderKey & Money & { readonly mode: Mode; readonly method: PaymentMethod }

export type HostedItem = {
  readonly name: string
  readonly quantity: number
  /** Below zero for a discount. */
  readonly unitMinor: bigint
}

/** What the customer sees on the network's page, and where it sends them back to. */
export type HostedPage = {
  readonly description: string
  readonly merchantName: string
  /** The items; the lines add up to the order's amount. If there are none, only the description. */
  readonly items?: readonly HostedItem[]
  /** 5 to 22 plain letters for the statement of the customer's bank, where the network takes them. */
  readonly statementDescriptor?: string | undefined
  readonly txRef: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** As the customer's browser asked for it: `de`. */
  readonly language: string
  /** Coming back here says nothing about money. */
  readonly returnUrl: string
  readonly cancelUrl: string
  readonly expiresAt: Date
  /**
   * The customer agreed, on our page, that the method is saved for later charges, and to which kind. Only of networks that
   * have `saves`.
   */
  readonly save?: { readonly agreement: Agreement; readonly customerRef: string } | undefined
  /** Of a method that this customer saved before at this account, so that the page can show it. Never with `save`. */
  readonly savedToken?: string | undefined
}

/** What a customer agreed to. `recurring`: on a schedule. `unscheduled`: when something is due, such as a top-up. */
export const agreements = ['recurring', 'unscheduled'] as const
export type Agreement = (typeof agreements)[number]

/** How the network sees an order. `money` is the network's own word, compared with ours by payments. */
export type HostedStatus =
  /** The page can still be paid on. */
  | { readonly kind: 'open'; readonly connectorReference: string; readonly url?: string | undefined }
  /** The customer agreed, and no money moves until `capture`. Only of networks that have it. */
  | { readonly kind: 'approved'; readonly connectorReference: string }
  /** The customer did their part; the network has not decided. */
  | {
      readonly kind: 'pending'
      readonly connectorReference: string
      /** For a capture that takes days, if the network already has an id for it. */
      readonly chargeReference?: string | undefined
    }
  | {
      readonly kind: 'charged'
      readonly connectorReference: string
      /** The id that refunds and disputes refer to, if it is a different one. */
      readonly chargeReference: string
      readonly money: Money
      /** For a page with `save`, in every answer that says it is charged. Missing: the network saved nothing. */
      readonly savedMethod?: SavedMethod | undefined
    }
  /** Also a page that ended unpaid. The order can't charge any more. */
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  | { readonly kind: 'not_found' }

export type NetworkMethod = {
  readonly isEnded: boolean
  /** Of the payment that saved it, by our metadata. */
  readonly paymentNumber?: string | undefined
}

/** The result of closing a page. */
export type Withdrawn =
  | HostedStatus
  /**
   * The network can't close pages, and this one can still be paid on. Payments gives the attempt up all the same, and
   * returns what comes later for a payment that has ended.
   */
  | { readonly kind: 'still_open' }

export type Opened =
  | { readonly kind: 'open'; readonly connectorReference: string; readonly url: string }
  /**
   * The network refused to make a page, and says why in words for the log; nothing was made, by this call or by an
   * earlier one with the same key. Where that is not certain the call throws.
   */
  | { readonly kind: 'refused'; readonly why: string }

/** What a callback asks us to look up. It never says what happened: we ask the network. */
export type Hint = {
  readonly eventId: string
  readonly about: 'order' | 'refund' | 'dispute' | 'payout' | 'method'
  /** Our metadata on the order, if the network repeats it. */
  readonly merchantId?: number | undefined
  readonly paymentNumber?: string | undefined
  readonly idempotencyKey?: string | undefined
  /** The network's name of the order, the refund, the dispute, the payout or the saved method. */
  readonly reference?: string | undefined
}

export type Checked =
  | {
      readonly kind: 'works'
      /** The account as the network names it, in one line. */
      readonly accountName: string
      readonly sandbox: boolean
      readonly callbacks: 'set_up' | 'missing' | 'unknown'
      /** The schemes and wallets that its page offers, where the network says. */
      readonly marks?: readonly MethodMark[]
    }
  | { readonly kind: 'refused'; readonly why: string }

/** One booking at the network, for `florin reconcile`. */
export type Movement = {
  readonly kind: 'charge' | 'refund' | 'dispute' | 'fee' | 'payout' | 'other'
  readonly reference: string
  readonly chargeReference?: string | undefined
  /** For a refund, as in the answer to it. */
  readonly refundReference?: string | undefined
  /** As it was booked, which may be in another currency than the customer paid. Negative: it left the account. */
  readonly money: Money
  /** What the customer paid or got back, if the network booked another currency. */
  readonly original?: Money | undefined
  readonly feeMinor?: bigint | undefined
  readonly at: Date
  readonly idempotencyKey?: string | undefined
}

/** In minor units of ours. */
export type AmountLimits = {
  readonly least: bigint
  readonly most: bigint
  /** The amount must be a multiple of it: Stripe takes 1.230 KWD and not 1.234. Undefined: any amount. */
  readonly step?: bigint | undefined
}

export type CallbackHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Every call ends when `signal` does and may throw: both count as no answer. No call is made inside a database
 * transaction. Every call that makes or moves something carries the order's idempotency key.
 */
export type HostedConnector = {
  readonly kind: 'hosted'
  readonly name: string
  /** The network's public name: `Stripe`. */
  readonly label: string
  readonly mode: Mode
  readonly credentials: readonly Credential[]
  /** Told by the look of the credentials, before anything is called. */
  isSandbox(credentials: Account['credentials']): boolean
  /** The network's limits for a currency; none if it doesn't take the currency. */
  methods(currency: string): readonly PaymentMethod[]
  /** Told before the customer is sent away. */
  limits(currency: string, method: PaymentMethod): AmountLimits
  check(account: Account, callbackUrl: string, signal: AbortSignal): Promise<Checked>
  /** Makes the callback endpoint at the network; returns the credentials to add, as its signing secret. */
  setUpCallback?(account: Account, callbackUrl: string, signal: AbortSignal): Promise<Account['credentials']>
  /** Makes the page; moves no money, so a lost answer is cheap. The same key again gives the same page. */
  open(account: Account, order: HostedOrder, page: HostedPage, signal: AbortSignal): Promise<Opened>
  fetch(account: Account, order: HostedOrderKey, signal: AbortSignal): Promise<HostedStatus>
  /**
   * Closes the page. A charge stands and is returned; anything but `charged`, `pending` and `still_open` can't charge
   * afterwards.
   */
  withdraw(account: Account, order: HostedOrderKey, signal: AbortSignal): Promise<Withdrawn>
  /**
   * Takes the money of an approved order, at networks where approving isn't paying: once, however often it is called,
   * with a key derived from the order's. Never called for a withdrawn order: `withdraw` has nothing to close there. A
   * lapsed approval is declined.
   */
  capture?(account: Account, order: HostedOrderKey, signal: AbortSignal): Promise<HostedStatus>
  /** The methods of `methods` that can be saved for later charges; a network without it saves none. */
  saves?(currency: string): readonly PaymentMethod[]
  /**
   * Charges a saved method without the customer. Never answers `open` or `approved`, and throws if it is unknown whether
   * the money moved. It is called once per order and never again. From then on `fetch` and `withdraw` are asked about the
   * order, with its `token` and, if the answer was lost, without a `connectorReference`: `fetch` answers `not_found` if the
   * network has never seen it, and after `withdraw` it can't charge, even if the request still arrives. A bank that wants
   * the customer is `declined` as `needs_customer`; a method that must never be charged again as `method_ended` or
   * `expired_card`. Every other reason may be tried again later.
   */
  chargeSaved?(account: Account, order: HostedSavedOrder, signal: AbortSignal): Promise<HostedStatus>
  /** Ends a saved method at the network. Done twice, or for one that is gone, it is no mistake. */
  forget?(account: Account, token: string, signal: AbortSignal): Promise<void>
  /** How a saved method stands, for a network that tells when customers or banks end one. Undefined: it knows none. */
  fetchMethod?(account: Account, reference: string, signal: AbortSignal): Promise<NetworkMethod | undefined>
  refund(account: Account, refund: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
  fetchRefund(account: Account, refund: RefundOrder, signal: AbortSignal): Promise<RefundStatus>
  /**
   * Fetches what `readCallback` needs to verify a callback with these headers and doesn't have yet, such as a
   * certificate of the network. Fetches nothing for callbacks that can't be genuine, and caches the rest.
   */
  prepareCallback?(account: Account, headers: CallbackHeaders, signal: AbortSignal): Promise<void>
  /** Pure. Undefined: not from the network, too old, or not signed with this account's secret. */
  readCallback(
    account: Account,
    rawBody: Buffer,
    headers: CallbackHeaders,
    now: Date,
  ): readonly Hint[] | undefined
  fetchDispute?(
    account: Account,
    disputeReference: string,
    signal: AbortSignal,
  ): Promise<DisputeStatus | undefined>
  /** Where the merchant answers a dispute: a page of the network's own dashboard. */
  disputeUrl?(disputeReference: string): string
  /** For a network that takes the merchant's answer by its API; others name their page above. */
  disputeReplies?(account: Account): DisputeReplies
  /** The network's names of the disputes that were opened since then, for a callback that was lost. */
  disputesSince?(account: Account, since: Date, signal: AbortSignal): AsyncIterable<string>
  /** Once the customer has done their part, the money can take days to arrive. */
  readonly takesDays?: true
  /** How many days the network may take until a charge appears in `movements`; one by default. */
  readonly booksWithinDays?: number
  /** A charge in `movements` carries the key of its order: one without is not of Florin. */
  readonly marksCharges?: boolean
  /** The network's balance transactions since then, oldest first. */
  movements?(account: Account, since: Date, signal: AbortSignal): AsyncIterable<Movement>
  /** As in `PayoutReports`, for one account. A network that has one of the first two has both. */
  payouts?(account: Account, since: Date, signal: AbortSignal): AsyncIterable<ReportedPayout>
  payoutLines?(account: Account, payout: ReportedPayout, signal: AbortSignal): AsyncIterable<ReportedLine>
  bookings?(account: Account, since: Date, signal: AbortSignal): AsyncIterable<ReportedLine>
  balance?(account: Account, signal: AbortSignal): Promise<readonly ReportedBalance[]>
}

/** Every network: those that take cards on our own page exist in test mode only, by their type. */
export type Connector = FormConnector | HostedConnector
