import { randomUUID } from 'node:crypto'
import type { CardSummary } from '../../connectors/connector.ts'
import type { Connector, PaymentMethod } from '../../connectors/hosted.ts'
import { makeMerchantBatch } from '../../database/batch.ts'
import { inTransaction, sqlState, type Database } from '../../database/database.ts'
import type { OutcomeDeps } from './apply-outcome.ts'
import { isInFlight } from './attempt-store.ts'
import { insertAttempts, type BegunAttempt, type NewAttempt } from './insert-attempts-store.ts'
import { firstCheckAt, pageLifeLeastMs, pageLifeMs } from './check-schedule.ts'
import { lockPayment, type PaymentKey } from '../store.ts'
import { transition } from '../transition.ts'

export type Started =
  | { readonly kind: 'started'; readonly attempt: BegunAttempt }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'closed' }

const batchSizeMax = 100
const batchesInFlight = 2

/** On a network's own page: the merchant's account there, and how the customer wants to pay. */
export type HostedChoice = { readonly accountId: string; readonly method: PaymentMethod }

/** Commits the attempt, with the key that its network will get, before anybody calls that network. */
export type StartAttempt = (
  key: PaymentKey,
  connector: Pick<Connector, 'name' | 'mode'>,
  by: CardSummary | HostedChoice,
  language?: string | null,
) => Promise<Started>

export function makeStartAttempt(deps: OutcomeDeps): StartAttempt {
  const begin = makeMerchantBatch<NewAttempt, BegunAttempt | undefined>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, attempts) => beginAll(deps.db, merchantId, attempts),
    isAboutData: (error) => sqlState(error) !== undefined,
  })
  return async (key, connector, by, language = null) => {
    const now = deps.now()
    const attempt = await begin(key.merchantId, {
      merchant_id: key.merchantId,
      number: key.number,
      mode: connector.mode,
      connector: connector.name,
      idempotency_key: randomUUID(),
      ...waysToPay(by, now),
      language,
      started_at: now,
      next_check_at: firstCheckAt('started', now),
    })
    return attempt ? { kind: 'started', attempt } : whyNot(deps, key)
  }
}

type WaysToPay = Pick<
  NewAttempt,
  'card_brand' | 'card_last4' | 'account_id' | 'method' | 'page_expires_at' | 'page_expires_least'
>

function waysToPay(by: CardSummary | HostedChoice, now: Date): WaysToPay {
  const noPage = { account_id: null, method: null, page_expires_at: null, page_expires_least: null }
  if ('brand' in by) return { card_brand: by.brand, card_last4: by.last4, ...noPage }
  return {
    card_brand: null,
    card_last4: null,
    account_id: by.accountId,
    method: by.method,
    page_expires_at: new Date(now.getTime() + pageLifeMs),
    page_expires_least: new Date(now.getTime() + pageLifeLeastMs),
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
