import type { DeclineReason } from '../connectors/connector.ts'
import type { Transaction } from '../database/database.ts'
import { moveAttemptState, type AttemptKey, type AttemptRow } from './attempt-store.ts'
import { firstCheckAt } from './check-schedule.ts'
import { nextAttemptState, type AttemptEvent } from './state-machine.ts'
import { noteAttemptChange } from './store.ts'

// The only writer of an attempt's state. Whoever calls it holds the lock of the payment.

export type AttemptFacts = {
  readonly connectorReference?: string
  readonly declineReason?: DeclineReason
}

/** Undefined when the event must not happen in the state that the attempt is in; nothing was written. */
export async function moveAttempt(
  tx: Transaction,
  before: AttemptRow,
  event: AttemptEvent,
  at: Date,
  facts: AttemptFacts = {},
): Promise<AttemptRow | undefined> {
  const to = nextAttemptState(before.state, event)
  if (!to) return undefined
  const key = keyOf(before)
  const moved = await moveAttemptState(tx, key, {
    from: before.state,
    to,
    connectorReference: facts.connectorReference ?? null,
    declineReason: facts.declineReason ?? null,
    nextCheckAt: firstCheckAt(to, at),
    at,
  })
  if (!moved)
    throw new Error(`An attempt of a locked payment changed its state: ${before.state} before ${event}`)
  await noteAttemptChange(tx, key, { attempt: before.attempt, event, from: before.state, to })
  return moved
}

export function keyOf(attempt: AttemptRow): AttemptKey {
  return { merchantId: attempt.merchant_id, number: attempt.number, attempt: attempt.attempt }
}
