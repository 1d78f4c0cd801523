import type { DeclineReason } from '../../connectors/connector.ts'
import type { Transaction } from '../../database/database.ts'
import { attemptName, attemptKey, moveAttemptStates, type StandingAttempt } from './attempt-store.ts'
import { firstCheckAt } from './check-schedule.ts'
import { nextAttemptState, type AttemptEvent } from '../state-machine.ts'

// The only writer of an attempt's state. Whoever calls it holds the lock of the payment.

export type AttemptMove = {
  readonly before: StandingAttempt
  readonly event: AttemptEvent
  readonly at: Date
  readonly connectorReference?: string
  readonly declineReason?: DeclineReason
}

/** Undefined when the event must not happen in the state that the attempt is in; nothing was written. */
export async function moveAttempt(tx: Transaction, move: AttemptMove): Promise<StandingAttempt | undefined> {
  return (await moveAttempts(tx, [move])).get(attemptName(attemptKey(move.before)))
}

/** Each attempt at most once. Those that moved, by name; who is missing must not make its move. */
export async function moveAttempts(
  tx: Transaction,
  moves: readonly AttemptMove[],
): Promise<Map<string, StandingAttempt>> {
  const changes = moves.flatMap(({ before, event, at, connectorReference, declineReason }) => {
    const to = nextAttemptState(before.state, event)
    if (!to) return []
    const { merchant_id, number, attempt, state } = before
    const place = { merchant_id, number, attempt, from_state: state, to_state: to }
    const facts = { connector_reference: connectorReference ?? null, decline_reason: declineReason ?? null }
    return [{ ...place, ...facts, event, at, next_check_at: firstCheckAt(to, at) }]
  })
  if (changes.length === 0) return new Map()
  const moved = await moveAttemptStates(tx, changes)
  if (moved !== changes.length) throw new Error('An attempt of a locked payment changed its state')
  return new Map(
    changes.map(({ merchant_id, number, attempt, to_state: state, decline_reason }) => {
      const after = { merchant_id, number, attempt, state, decline_reason }
      return [attemptName(attemptKey(after)), after]
    }),
  )
}
