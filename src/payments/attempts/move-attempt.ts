import type { DeclineReason, Money } from '../../connectors/connector.ts'
import type { Transaction } from '../../database/database.ts'
import { attemptName, moveAttemptStates, type StandingAttempt } from './attempt-store.ts'
import { firstCheckAt } from './check-schedule.ts'
import { nextAttemptState, type AttemptEvent } from '../state-machine.ts'

// The only writer of an attempt's state. Whoever calls it holds the lock of the payment.

export type AttemptMove = {
  readonly before: StandingAttempt
  readonly event: AttemptEvent
  readonly at: Date
  readonly connectorReference?: string
  readonly declineReason?: DeclineReason
  readonly pageUrl?: string
  readonly chargeReference?: string | undefined
  /** What the network said that it took. */
  readonly charged?: Money | undefined
  /** When it is looked at next; else the schedule of its new state says so. */
  readonly checkAt?: Date | null
}

/** Undefined when the event must not happen in the state that the attempt is in; nothing was written. */
export async function moveAttempt(tx: Transaction, move: AttemptMove): Promise<StandingAttempt | undefined> {
  const moved = await moveAttempts(tx, move.before.merchant_id, [move])
  return moved.get(attemptName(move.before))
}

/** Each attempt at most once. Those that moved, by name; who is missing must not make its move. */
export async function moveAttempts(
  tx: Transaction,
  merchantId: number,
  moves: readonly AttemptMove[],
): Promise<Map<string, StandingAttempt>> {
  const changes = moves.flatMap((move) => {
    const { before, event, at } = move
    const to = nextAttemptState(before.state, event)
    if (!to) return []
    const { merchant_id, number, attempt, state } = before
    const place = { merchant_id, number, attempt, from_state: state, to_state: to }
    const next_check_at = move.checkAt === undefined ? firstCheckAt(to, at) : move.checkAt
    // What is in flight is looked at again; what is over is not.
    return [{ ...place, ...factsOf(move), event, at, is_over: next_check_at === null, next_check_at }]
  })
  if (changes.length === 0) return new Map()
  await moveAttemptStates(tx, merchantId, changes)
  return new Map(
    changes.map(({ merchant_id, number, attempt, to_state: state, decline_reason }) => {
      const after = { merchant_id, number, attempt, state, decline_reason }
      return [attemptName(after), after]
    }),
  )
}

function factsOf(move: AttemptMove) {
  return {
    connector_reference: move.connectorReference ?? null,
    decline_reason: move.declineReason ?? null,
    page_url: move.pageUrl ?? null,
    charge_reference: move.chargeReference ?? null,
    charged_minor: move.charged ? String(move.charged.amountMinor) : null,
    charged_currency: move.charged?.currency ?? null,
  }
}
