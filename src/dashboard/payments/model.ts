import type { DisputeRow } from '../../disputes/list-disputes.ts'
import type { Notification } from '../../notifications/list-notifications.ts'
import type { AttemptRow, HistoryRow, NoteRow } from '../../payments/support/payment-story.ts'
import type { PaymentRow } from '../../payments/support/search-payments.ts'
import type { ToldRefund } from '../../refunds/find-refunds.ts'

// What the page of a payment shows, from every room that knows of it.

export type Told = {
  readonly payment: PaymentRow
  readonly attempts: readonly AttemptRow[]
  readonly history: readonly HistoryRow[]
  readonly refunds: readonly ToldRefund[]
  readonly disputes: readonly DisputeRow[]
  /** Empty for those who may not see them. */
  readonly notifications: readonly Notification[]
}

export type PaymentModel = Told & {
  readonly projectName: string | undefined
  readonly leftMinor: bigint
  readonly notes: readonly NoteRow[]
  /** Of those who wrote notes. */
  readonly names: ReadonlyMap<string, string>
  readonly typedNote?: string
}
