import type { CardDetails, Connector, DeclineReason } from '../connectors/connector.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../http/log.ts'
import type { PaymentKey, PaymentRow } from './store.ts'

export type PayResult =
  | { readonly kind: 'paid' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** The customer must go to the 3-D Secure page. */
  | { readonly kind: 'action_required' }
  /** Nobody knows yet; the page asks again. */
  | { readonly kind: 'waiting' }
  /** Another attempt was there first. */
  | { readonly kind: 'in_flight' }
  /** The payment is over, or there is none. */
  | { readonly kind: 'closed' }
  /** Not a card that this network takes; nothing was kept of it. */
  | { readonly kind: 'refused_card' }
  /** No network for this mode; nothing was done. */
  | { readonly kind: 'unavailable' }

export type Payer = {
  pay(key: PaymentKey, card: CardDetails): Promise<PayResult>
  answerChallenge(key: PaymentKey, attempt: number, answer: 'approve' | 'refuse'): Promise<PayResult>
  /** The customer wants another card instead of the 3-D Secure page; the payment can be paid again afterwards. */
  giveUpChallenge(key: PaymentKey, attempt: number): Promise<PayResult>
  /** Throws Refusal not_cancellable, with the reason; cancelling twice is no mistake. */
  cancel(key: PaymentKey, by: 'customer' | 'merchant'): Promise<PaymentRow>
}

export type PayerDeps = {
  readonly db: Database
  readonly connectors: readonly Connector[]
  readonly baseUrl: string
  readonly now: () => Date
  readonly log: Logger
}

export function makePayer(_deps: PayerDeps): Payer {
  const later = async (): Promise<never> => Promise.reject(new Error('not built yet'))
  return { pay: later, answerChallenge: later, giveUpChallenge: later, cancel: later }
}
