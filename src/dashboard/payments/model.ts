import type { DisputeRow } from '../../disputes/list-disputes.ts'
import type { ReplyRow } from '../../disputes/replies/answer-dispute.ts'
import type { Notification } from '../../notifications/list-notifications.ts'
import type { AttemptRow, HistoryRow, NoteRow } from '../../payments/support/payment-story.ts'
import type { PaymentRow } from '../../payments/support/search-payments.ts'
import type { PaidOut } from '../../payouts/find-payouts.ts'
import type { RefundWithHistory } from '../../refunds/find-refunds.ts'

// Everything the payment page shows.

export type Told = {
  readonly payment: PaymentRow
  readonly attempts: readonly AttemptRow[]
  readonly history: readonly HistoryRow[]
  readonly refunds: readonly RefundWithHistory[]
  readonly disputes: readonly DisputeRow[]
  /** What the merchant answered to them. */
  readonly replies: readonly ReplyRow[]
  /** Empty if the role can't see them. */
  readonly notifications: readonly Notification[]
  /** Names of people who wrote notes or decided something. */
  readonly names: ReadonlyMap<string, string>
}

export type PaymentModel = Told & {
  readonly projectName: string | undefined
  readonly leftMinor: bigint
  /** What its network booked and charged for it. */
  readonly paidOut: PaidOut
  readonly notes: readonly NoteRow[]
  readonly typedNote?: string
}
