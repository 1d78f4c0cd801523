import type { Outcome } from '../connectors/connector.ts'
import { inTransaction, type Database, type Transaction } from '../database/database.ts'
import type { Logger } from '../http/log.ts'
import { countDeclined, findAttempt, type AttemptKey, type AttemptRow } from './attempt-store.ts'
import { moveAttempt, type AttemptFacts } from './move-attempt.ts'
import type { AttemptEvent, AttemptState } from './state-machine.ts'
import { lockPayment } from './store.ts'
import { transition } from './transition.ts'

// The funnel. A network's direct answer, its word after 3-D Secure, its callback and our asking all end here, in any
// order and any number: attempt, payment, history and notifications change in one commit, and what came before
// changes nothing.

export const declinedMax = 10
/** Attempts that the customer walked away from are not declined, yet they too come to an end. */
export const attemptsMax = 100

export type OutcomeDeps = {
  readonly db: Database
  readonly baseUrl: string
  readonly now: () => Date
  readonly log: Logger
}

/** Returns the attempt as it is afterwards. */
export async function applyOutcome(
  deps: OutcomeDeps,
  key: AttemptKey,
  outcome: Outcome,
): Promise<AttemptRow> {
  return inTransaction(deps.db, async (tx) => {
    // Always the payment first: one order of locks, and nobody starts, cancels or expires meanwhile.
    const payment = await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!payment || !before) throw new Error('An outcome came for an attempt that does not exist')

    const after = await moveAttempt(tx, before, eventOf(outcome, before.state), deps.now(), factsOf(outcome))
    if (!after) {
      if (contradicts(outcome, before.state)) {
        deps.log.error(
          { ...key, state: before.state, outcome: outcome.kind },
          'A network contradicts what it said before; a person must look',
        )
      }
      return before
    }
    await movePayment(tx, after, key, deps.baseUrl)
    return after
  })
}

async function movePayment(
  tx: Transaction,
  attempt: AttemptRow,
  key: AttemptKey,
  baseUrl: string,
): Promise<void> {
  if (attempt.state === 'succeeded') {
    const { moved, payment } = await transition(tx, key, 'paid', baseUrl)
    if (!moved) throw new Error(`Money came for a payment that is ${payment?.state}`)
    return
  }
  if (attempt.state !== 'declined' && attempt.state !== 'abandoned') return
  if (attempt.attempt >= attemptsMax || (await countDeclined(tx, key)) >= declinedMax) {
    await transition(tx, key, 'attempts_used_up', baseUrl)
  }
}

const events = {
  charged: 'charged',
  declined: 'refused',
  action_required: 'needs_action',
  no_answer: 'no_answer',
} as const satisfies Record<Outcome['kind'], AttemptEvent>

function eventOf(outcome: Outcome, state: AttemptState): AttemptEvent {
  const walkedAway = outcome.kind === 'declined' && outcome.reason === 'challenge_abandoned'
  return walkedAway && state === 'action_required' ? 'given_up' : events[outcome.kind]
}

function factsOf(outcome: Outcome): AttemptFacts {
  if (outcome.kind === 'no_answer') return {}
  if (outcome.kind === 'declined') return { declineReason: outcome.reason }
  return { connectorReference: outcome.connectorReference }
}

function contradicts(outcome: Outcome, state: AttemptState): boolean {
  if (outcome.kind === 'charged') return state === 'declined' || state === 'abandoned'
  return outcome.kind === 'declined' && state === 'succeeded'
}
