// What networks report about their payouts to the merchant's bank. A connector only translates: payouts/ decides what
// is stored and what follows from it.

type Money = { readonly amountMinor: bigint; readonly currency: string }

export const lineKinds = ['payment', 'refund', 'dispute', 'fee', 'adjustment', 'difference'] as const
/** `difference` is Florin's own: what the lines of a payout lack to its amount. */
export type LineKind = (typeof lineKinds)[number]

/** One booking at the network. Net is gross less fee less tax. What left the account is negative; a fee that was charged is not. */
export type ReportedLine = {
  /** The network's name for the booking, the same whenever it is reported. */
  readonly reference: string
  readonly kind: Exclude<LineKind, 'difference'>
  /** The network's own word for it: `payment_refund`. */
  readonly type: string
  readonly currency: string
  readonly grossMinor: bigint
  /** Without the tax on it. */
  readonly feeMinor: bigint
  readonly taxMinor: bigint
  /** What the customer paid or got back, if the network booked another currency. */
  readonly original?: Money | undefined
  /** As the network wrote it. */
  readonly exchangeRate?: string | undefined
  readonly chargeReference?: string | undefined
  /** For our payment, if the network repeats it. */
  readonly paymentNumber?: string | undefined
  readonly refundReference?: string | undefined
  readonly bookedAt: Date
  /** From when on the network may pay it out. */
  readonly availableAt: Date
}

export type ReportedPayout = {
  readonly reference: string
  /** `failed`: the money is back at the network, whether the bank refused it or sent it back days later. */
  readonly status: 'announced' | 'on_its_way' | 'arrived' | 'failed'
  readonly money: Money
  readonly madeAt: Date
  /** `2026-11-18`; undefined where the network doesn't know. */
  readonly arrivesOn?: string | undefined
  /** The text on the bank statement. */
  readonly bankReference?: string | undefined
  /** Why it failed, in the network's words. */
  readonly failure?: string | undefined
  /** `later`: the network is still working on the list. `never`: it keeps none for this payout. */
  readonly lines: 'ready' | 'later' | 'never'
}

/** What the network holds for the merchant, excluding what was paid out or is on its way to the bank. */
export type ReportedBalance = Money

/**
 * What a network's account reports about payouts. Every call ends when `signal` does and may throw: both count as no
 * answer.
 */
export type PayoutReports = {
  /** Payouts made since then, in any order. */
  payouts(since: Date, signal: AbortSignal): AsyncIterable<ReportedPayout>
  /** Every booking of a payout. Together they are its amount. */
  payoutLines(payout: ReportedPayout, signal: AbortSignal): AsyncIterable<ReportedLine>
  /** Bookings since then as they are made, in a payout or not. Undefined: known only once they are paid out. */
  bookings?: ((since: Date, signal: AbortSignal) => AsyncIterable<ReportedLine>) | undefined
  /** Undefined: the network has no such figure. */
  balance?: ((signal: AbortSignal) => Promise<readonly ReportedBalance[]>) | undefined
}
