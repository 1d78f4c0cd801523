import type { Notification } from '../../core/notifications/list-notifications.ts'
import type { NoteRow } from '../../core/payments/support/payment-story.ts'
import type { PaymentPart, ShownPayment } from '../slots.ts'

// Everything the payment page shows.

export type Told = ShownPayment & {
  /** What modules add. */
  readonly parts: readonly PaymentPart[]
  readonly customerPath?: string | undefined
  /** Empty if the role can't see them. */
  readonly notifications: readonly Notification[]
  /** Names of people who wrote notes or decided something. */
  readonly names: ReadonlyMap<string, string>
}

export type PaymentModel = Told & {
  readonly projectName: string | undefined
  readonly notes: readonly NoteRow[]
  readonly typedNote?: string
}
