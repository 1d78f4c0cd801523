import type { LineKind } from '../../core/networks/payout-reports.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import type { PayoutState } from './state-machine.ts'

// Payouts and their lines as they are stored, for all who read them: pages, API, CSV and exports.

export type Payout = {
  readonly merchant_id: number
  /** `po_…` */
  readonly id: string
  readonly mode: Mode
  /** The network: `stripe`. */
  readonly connector: string
  readonly account_id: string
  /** The network's id. */
  readonly reference: string
  readonly state: PayoutState
  readonly amount_minor: bigint
  readonly currency: string
  /** `2026-11-18`, as the network named it. */
  readonly arrives_on: string | null
  /** The text on the bank statement. */
  readonly bank_reference: string | null
  readonly failure: string | null
  /** `waiting`: the network doesn't report them yet. `untold`: it never does. */
  readonly lines: 'waiting' | 'copied' | 'untold'
  readonly line_count: number
  readonly gross_minor: bigint
  readonly fee_minor: bigint
  readonly tax_minor: bigint
  /** The difference between the network's lines and the amount; a line of kind `difference` holds it. */
  readonly difference_minor: bigint
  readonly made_at: string
  readonly updated_at: string
  /** When a person of the shop dealt with its failure. */
  readonly dealt_with_at: string | null
}

/** One booking of a network. Net is gross less fee less tax; what left the account is negative, a fee that was charged is not. */
export type PayoutLine = {
  readonly merchant_id: number
  readonly account_id: string
  /** The network's id of the booking, unique per account. */
  readonly reference: string
  readonly mode: Mode
  readonly kind: LineKind
  /** The network's own word for it: `payment_refund`. */
  readonly type: string
  readonly currency: string
  readonly gross_minor: bigint
  /** Without the tax on it. */
  readonly fee_minor: bigint
  readonly tax_minor: bigint
  readonly net_minor: bigint
  /** What the customer paid or got back, if the network booked another currency. */
  readonly original_minor: bigint | null
  readonly original_currency: string | null
  readonly exchange_rate: string | null
  readonly charge_reference: string | null
  readonly refund_reference: string | null
  readonly booked_at: string
  /** From when on the network may pay it out. */
  readonly available_at: string
  /** Null: not paid out yet. */
  readonly payout_id: string | null
  /** Our payment's; null for bookings that aren't about one of ours. */
  readonly number: string | null
  /** Our refund's. */
  readonly refund_id: string | null
}
