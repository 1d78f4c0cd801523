import { randomUUID } from 'node:crypto'
import type { CardSummary, FormConnector } from '../../connectors/connector.ts'
import { makeMerchantBatch } from '../../database/batch.ts'
import { inTransaction, sqlState, type Database } from '../../database/database.ts'
import type { OutcomeDeps } from './apply-outcome.ts'
import { isInFlight } from './attempt-store.ts'
import { insertAttempts, type BegunAttempt, type NewAttempt } from './insert-attempts-store.ts'
import { firstCheckAt } from './check-schedule.ts'
import { lockPayment, type PaymentKey } from '../store.ts'
import { transition } from '../transition.ts'

export type Started =
  | { readonly kind: 'started'; readonly attempt: BegunAttempt }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'closed' }

const batchSizeMax = 100
const batchesInFlight = 2

/** Commits the attempt, with the key that its network will get, before anybody calls that network. */
export type StartAttempt = (
  key: PaymentKey,
  connector: FormConnector,
  card: CardSummary,
  language?: string | null,
) => Promise<Started>

export function makeStartAttempt(deps: OutcomeDeps): StartAttempt {
  const begin = makeMerchantBatch<NewAttempt, BegunAttempt | undefined>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, attempts) => beginAll(deps.db, merchantId, attempts),
    isAboutData: (error) => sqlState(error) !== undefined,
  })
  return async (key, connector, card, language = null) => {
    const now = deps.now()
    const attempt = await begin(key.merchantId, {
      merchant_id: key.merchantId,
      number: key.number,
      mode: connector.mode,
      connector: connector.name,
      idempotency_key: randomUUID(),
      card_brand: card.brand,
      card_last4: card.last4,
      language,
      started_at: now,
      next_check_at: firstCheckAt('started', now),
    })
    return attempt ? { kind: 'started', attempt } : whyNot(deps, key)
  }
}

async function beginAll(
  db: Database,
  merchantId: number,
  attempts: readonly NewAttempt[],
): Promise<(BegunAttempt | undefined)[]> {
  const begun = await insertAttempts(db, merchantId, attempts)
  const byKey = new Map(begun.map((attempt) => [attempt.idempotency_key, attempt]))
  return attempts.map((attempt) => byKey.get(attempt.idempotency_key))
}

/** Also ends a payment that is out of time and that nobody has swept yet. */
async function whyNot(deps: OutcomeDeps, key: PaymentKey): Promise<Started> {
  return inTransaction(deps.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    if (payment?.state !== 'pending') return { kind: 'closed' }
    if (await isInFlight(tx, key)) return { kind: 'in_flight' }
    if (Date.parse(payment.expires_at) > deps.now().getTime()) {
      // It could begin now: what stood in the way a moment ago has ended. The customer presses again.
      return { kind: 'in_flight' }
    }
    await transition(deps, tx, payment, 'ran_out_of_time')
    return { kind: 'closed' }
  })
}
