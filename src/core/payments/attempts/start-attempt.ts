import { randomUUID } from 'node:crypto'
import type { CardSummary } from '../../networks/connector.ts'
import type { Connector, PaymentMethod } from '../../networks/hosted.ts'
import { makeMerchantBatch } from '../../../platform/database/batch.ts'
import { inMerchantTransaction, type Queryable } from '../../../platform/database/database.ts'
import type { Trace } from '../card-testing/decline-store.ts'
import { judge } from '../card-testing/judge.ts'
import type { OutcomeDeps } from './apply-outcome.ts'
import { isInFlight } from './attempt-store.ts'
import { insertAttempts, type BegunAttempt, type NewAttempt } from './insert-attempts-store.ts'
import { firstCheckAt, pageLifeLeastMs, pageLifeMs } from './check-schedule.ts'
import { columnsOf, type ChargedMethod } from '../saving/charged-method.ts'
import { lockPayment, type PaymentKey } from '../store.ts'
import { transition } from '../transition.ts'

export type Started =
  | { readonly kind: 'started'; readonly attempt: BegunAttempt }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'closed' }
  /** Too much was declined; nothing was begun. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** The merchant is under attack or the address has to wait, and no proof was brought; nothing was begun. */
  | { readonly kind: 'proof_needed' }

export type Traced = { readonly trace: Trace; readonly provenFor: number | undefined }

const batchSizeMax = 100
const batchesInFlight = 2

/** On a network's own page: the merchant's account there, and how the customer wants to pay. */
export type HostedChoice = { readonly accountId: string; readonly method: PaymentMethod }

/** Commits the attempt, with the key that its network will get, before anybody calls that network. */
export type StartAttempt = (
  key: PaymentKey,
  connector: Pick<Connector, 'name' | 'mode'>,
  by: CardSummary | HostedChoice | ChargedMethod,
  language?: string | null,
  /** Without it nothing is counted and nothing judged. */
  traced?: Traced,
) => Promise<Started>

export function makeStartAttempt(deps: OutcomeDeps): StartAttempt {
  const begin = makeMerchantBatch<NewAttempt, BegunAttempt | undefined>({
    maxSize: batchSizeMax,
    maxInFlight: batchesInFlight,
    run: async (merchantId, attempts, tx) => beginAll(tx ?? deps.db, merchantId, attempts),
    groupOn: deps.db,
  })
  return async (key, connector, by, language = null, traced) => {
    const now = deps.now()
    const asked: NewAttempt = {
      merchant_id: key.merchantId,
      number: key.number,
      mode: connector.mode,
      connector: connector.name,
      idempotency_key: randomUUID(),
      ...waysToPay(by, now),
      language,
      address_hash: traced?.trace.addressHash ?? null,
      card_fingerprint: traced?.trace.cardFingerprint ?? null,
      is_judged: traced === undefined,
      only_as: null,
      started_at: now,
      next_check_at: firstCheckAt('started', now),
    }
    const attempt = await begin(key.merchantId, asked)
    if (attempt) return { kind: 'started', attempt }
    const why = await whyNot(deps, key)
    if (why.kind !== 'could_begin') return why
    const judgement = traced && (await judged(deps, asked, connector, traced))
    // The customer presses again.
    if (!judgement || judgement.kind !== 'free') return judgement ?? { kind: 'in_flight' }
    const again = await begin(key.merchantId, {
      ...asked,
      is_judged: true,
      only_as: judgement.onlyAs ?? null,
    })
    return again ? { kind: 'started', attempt: again } : { kind: 'in_flight' }
  }
}

async function judged(
  deps: OutcomeDeps,
  asked: NewAttempt,
  { mode }: Pick<Connector, 'mode'>,
  traced: Traced,
) {
  if (!deps.cardTesting) return undefined
  const { merchant_id: merchantId, number, started_at: now } = asked
  const ask = { merchantId, number, mode, ...traced, now }
  return judge(deps.db, deps.cardTesting, ask)
}

type WaysToPay = Pick<
  NewAttempt,
  | 'card_brand'
  | 'card_last4'
  | 'account_id'
  | 'method'
  | 'page_expires_at'
  | 'page_expires_least'
  | 'saved_method_id'
>

function waysToPay(by: CardSummary | HostedChoice | ChargedMethod, now: Date): WaysToPay {
  if ('connector' in by) return columnsOf(by)
  const noMethod = { saved_method_id: null }
  const noPage = { account_id: null, method: null, page_expires_at: null, page_expires_least: null }
  if ('brand' in by) return { card_brand: by.brand, card_last4: by.last4, ...noPage, ...noMethod }
  return {
    card_brand: null,
    card_last4: null,
    account_id: by.accountId,
    method: by.method,
    page_expires_at: new Date(now.getTime() + pageLifeMs),
    page_expires_least: new Date(now.getTime() + pageLifeLeastMs),
    ...noMethod,
  }
}

async function beginAll(
  db: Queryable,
  merchantId: number,
  attempts: readonly NewAttempt[],
): Promise<(BegunAttempt | undefined)[]> {
  const begun = await insertAttempts(db, merchantId, attempts)
  const byKey = new Map(begun.map((attempt) => [attempt.idempotency_key, attempt]))
  return attempts.map((attempt) => byKey.get(attempt.idempotency_key))
}

/** Without an e-mail address the page asks for it first. Also ends an expired payment that wasn't swept yet. */
async function whyNot(
  deps: OutcomeDeps,
  key: PaymentKey,
): Promise<Extract<Started, { kind: 'closed' | 'in_flight' }> | { readonly kind: 'could_begin' }> {
  return inMerchantTransaction(deps.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    if (payment?.state !== 'pending' || payment.email === '') return { kind: 'closed' }
    if (await isInFlight(tx, key)) return { kind: 'in_flight' }
    if (Date.parse(payment.expires_at) > deps.now().getTime()) {
      // What blocked it a moment ago has ended, or there are declines on record for the address or card.
      return { kind: 'could_begin' }
    }
    await transition(deps, tx, payment, 'ran_out_of_time')
    return { kind: 'closed' }
  })
}
