import type { DeclineReason, FormConnector, OrderKey } from '../../networks/connector.ts'
import { DatabaseUnavailable } from '../../../platform/errors/database-unavailable.ts'
import type { NetworkOutcome } from './network-word.ts'
import type { AttemptRow } from './attempt-store.ts'
import { applyWord } from './hosted/take-money.ts'
import type { Paying } from './paying.ts'
import type { AttemptState } from '../state-machine.ts'

export type PayResult =
  | { readonly kind: 'paid' }
  | { readonly kind: 'declined'; readonly reason: DeclineReason }
  /** The network never got the order. Not a decline: the customer may try again. */
  | { readonly kind: 'not_sent' }
  /** The customer must go to the 3-D Secure page, or to the network's own page. */
  | { readonly kind: 'action_required' }
  /** Nobody knows yet; the page asks again. */
  | { readonly kind: 'waiting' }
  /** Another attempt was there first. */
  | { readonly kind: 'in_flight' }
  /** The payment is over, or there is none. */
  | { readonly kind: 'closed' }
  /** Not a card that this network takes; nothing was kept of it. */
  | { readonly kind: 'refused_card' }
  /** Too much was declined before, from this address or with this card; nothing was done. */
  | { readonly kind: 'wait'; readonly until: Date }
  /** The merchant is under attack, and the customer must bring a proof first; nothing was done. */
  | { readonly kind: 'proof_needed' }
  /** No network for this mode; nothing was done. */
  | { readonly kind: 'unavailable' }

/** Once a network was called we must not say that nothing was done: without a database the customer waits. */
export async function recordOutcome(
  paying: Paying,
  attempt: AttemptRow,
  outcome: NetworkOutcome,
  limitMs?: number,
): Promise<PayResult> {
  try {
    return resultOf(await applyWord(paying, attempt, outcome, limitMs))
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    paying.log.warn({ err: error }, 'Could not save an outcome; the next check with the network will find it')
    return { kind: 'waiting' }
  }
}

export function resultOf(attempt: Pick<AttemptRow, 'state' | 'decline_reason'>): PayResult {
  const reason = attempt.decline_reason
  const results: Readonly<Record<AttemptState, PayResult>> = {
    started: { kind: 'waiting' },
    action_required: { kind: 'action_required' },
    submitted: { kind: 'waiting' },
    unknown: { kind: 'waiting' },
    succeeded: { kind: 'paid' },
    declined: { kind: 'declined', reason: reason ?? 'declined' },
    abandoned: { kind: 'declined', reason: reason ?? 'challenge_abandoned' },
    held: { kind: 'waiting' },
    surplus: { kind: 'closed' },
    returned: { kind: 'closed' },
    left_open: { kind: 'declined', reason: 'challenge_abandoned' },
    not_sent: { kind: 'not_sent' },
  }
  return results[attempt.state]
}

export function formConnectorOf(paying: Paying, attempt: AttemptRow): FormConnector {
  const connector = paying.connectors.find(({ name }) => name === attempt.connector)
  if (connector?.kind !== 'form') throw new Error(`There is no connector ${attempt.connector} for cards`)
  return connector
}

export function orderKeyOf(attempt: AttemptRow): OrderKey {
  return {
    merchantId: attempt.merchant_id,
    paymentNumber: attempt.number,
    idempotencyKey: attempt.idempotency_key,
  }
}
