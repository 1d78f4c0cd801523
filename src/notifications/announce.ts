import type { Transaction } from '../database/database.ts'

// The outbox: what a state change has to say is written in the state change's own commit, so neither can be there
// without the other. Delivering comes later and may be repeated.

export type Announcement = {
  readonly merchantId: number
  /** The 24 digits that name the payment within its merchant. */
  readonly number: string
  readonly mode: 'test' | 'live'
  readonly event: string
  /** Where the merchant wants to hear of it; null: nowhere. */
  readonly callbackUrl: string | null
  /** The transaction as the look-up would show it at this moment, as JSON text. */
  readonly transactionJson: string
}

export async function announce(_tx: Transaction, _announcement: Announcement): Promise<void> {}
