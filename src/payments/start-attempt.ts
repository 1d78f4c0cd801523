import { randomUUID } from 'node:crypto'
import type { CardSummary, Connector } from '../connectors/connector.ts'
import { inTransaction, violates } from '../database/database.ts'
import type { OutcomeDeps } from './apply-outcome.ts'
import { insertAttempt, isInFlight, type AttemptRow } from './attempt-store.ts'
import { firstCheckAt } from './check-schedule.ts'
import { lockPayment, type PaymentKey, type PaymentRow } from './store.ts'
import { transition } from './transition.ts'

export type Started =
  | { readonly kind: 'started'; readonly attempt: AttemptRow; readonly payment: PaymentRow }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'closed' }

/** Commits the attempt, with the key that its network will get, before anybody calls that network. */
export async function startAttempt(
  deps: OutcomeDeps,
  key: PaymentKey,
  connector: Connector,
  card: CardSummary,
): Promise<Started> {
  try {
    return await inTransaction(deps.db, async (tx): Promise<Started> => {
      const payment = await lockPayment(tx, key)
      if (payment?.state !== 'pending' || payment.mode !== connector.mode) return { kind: 'closed' }
      const now = deps.now()
      if (Date.parse(payment.expires_at) <= now.getTime()) {
        if (await isInFlight(tx, key)) return { kind: 'in_flight' }
        await transition(tx, key, 'ran_out_of_time', deps.baseUrl)
        return { kind: 'closed' }
      }
      const attempt = await insertAttempt(tx, key, {
        connector: connector.name,
        idempotencyKey: randomUUID(),
        card,
        startedAt: now,
        nextCheckAt: firstCheckAt('started', now),
      })
      return attempt ? { kind: 'started', attempt, payment } : { kind: 'in_flight' }
    })
  } catch (error) {
    // The lock of the payment decides first; the index is the last word should a later writer forget the lock.
    if (violates(error, 'attempts_one_in_flight')) return { kind: 'in_flight' }
    throw error
  }
}
