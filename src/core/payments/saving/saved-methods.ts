import type { DeclineReason, SavedMethod } from '../../networks/connector.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import type { AttemptRow } from '../attempts/attempt-store.ts'
import type { LockedPayment, PaymentRow } from '../store.ts'
import type { SaveRequest, Saving } from './saving.ts'

// What payments needs of src/modules/saved-methods/, which stands on a floor above it.

/** How an attempt of such a payment ended. */
export type SavingOutcome = {
  readonly payment: LockedPayment
  readonly saving: Saving
  readonly attempt: Pick<AttemptRow, 'attempt' | 'connector' | 'account_id' | 'saved_method_id'>
  readonly result: 'charged' | DeclineReason
  readonly savedMethod: SavedMethod | undefined
  readonly at: Date
}

export type Settled = {
  /** The column's new value. */
  readonly saving: Saving
  /** Events besides the payment's own. `json`: undefined: the transaction. */
  readonly events: readonly SavingEvent[]
}

export type SavingEvent = {
  readonly event: string
  readonly json?: string | undefined
  /** The customer gets an e-mail about it, too. */
  readonly mailsCustomer?: boolean | undefined
}

/** What the customer read and agreed to by pressing the button. */
export type Consent = {
  readonly merchantId: number
  readonly number: string
  readonly currency: string
  readonly asked: SaveRequest
  readonly language: string
  readonly words: string
  readonly address: string
}

/** Passed in where modules are connected. */
export type SavedMethods = {
  /** In the commit of the outcome. */
  settle(tx: Transaction, outcome: SavingOutcome): Promise<Settled>
  /** The network's token, to ask it about a charge; undefined once the network has forgotten the method. */
  tokenOf(merchantId: number, methodId: string): Promise<string | undefined>
  /** The token of a usable method that the customer of this payment saved at this account. */
  tokenAt(payment: PaymentRow, accountId: string | null): Promise<string | undefined>
}
