import type { DeclineReason, SavedMethod } from '../../networks/connector.ts'
import type { Agreement } from '../../networks/hosted.ts'
import type { PaymentRow } from '../store.ts'

// A payment that saves its method, or that charges a saved one, says so in its column `saving`. All other payments have
// null there, and nothing here costs them a statement. src/modules/saved-methods/ keeps the methods themselves.

/** A saved method as merchants see it. */
export type ShownSavedMethod = {
  readonly id: string
  readonly kind: SavedMethod['kind']
  readonly brand: string | null
  readonly last4: string | null
  /** The month in which it ends: `2029-08`. */
  readonly expires: string | null
  readonly network: string
  readonly usable: boolean
}

export const chargeFailures = ['declined', 'needs_customer', 'method_ended', 'network_silent'] as const
export type ChargeFailure = (typeof chargeFailures)[number]

/** Why a charge of a saved method took no money, and what the merchant may do. */
export type ShownChargeFailure = {
  readonly code: ChargeFailure
  readonly reason: DeclineReason
  readonly mayRetry: boolean
  /** In ISO 8601; undefined: at once, or never. */
  readonly retryAfter?: string | undefined
}

/** As stored, in JSON. */
export type Saving = {
  /** What the customer is asked to agree to, for a payment that saves its method. */
  readonly asked?: SaveRequest | undefined
  /** The merchant's name of the customer who pays, for a payment that may be paid with one of their saved methods. */
  readonly customerRef?: string | undefined
  /** The id of the saved method, for a payment that charges it without the customer. */
  readonly charges?: string | undefined
  readonly method?: ShownSavedMethod | undefined
  readonly failure?: ShownChargeFailure | undefined
}

export type SaveRequest = {
  readonly agreement: Agreement
  readonly customerRef: string
  /** The most that may be charged per day, in minor units of the payment's currency, as text. */
  readonly limitMinor?: string | undefined
}

export function readSaving({ saving }: Pick<PaymentRow, 'saving'>): Saving | undefined {
  return saving === null ? undefined : (JSON.parse(saving) as Saving)
}

/** What the customer is asked to agree to before paying; undefined for most payments. */
export function saveRequestOf(payment: Pick<PaymentRow, 'saving'>): SaveRequest | undefined {
  return readSaving(payment)?.asked
}

/** The saved method that this payment saved, or that paid it. */
export function methodIdOf(payment: Pick<PaymentRow, 'saving'>): string | undefined {
  const saving = readSaving(payment)
  return saving?.charges ?? saving?.method?.id
}

export function isCharge(payment: Pick<PaymentRow, 'saving'>): boolean {
  return readSaving(payment)?.charges !== undefined
}

/** The attempt that charges a saved method is always the first of its payment; later ones are the customer's own. */
export const chargingAttempt = 1
