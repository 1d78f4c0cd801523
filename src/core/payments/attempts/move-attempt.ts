import type { DeclineReason, Money, SavedMethod } from '../../networks/connector.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { attemptName, moveAttemptStates, type StandingAttempt } from './attempt-store.ts'
import { firstCheckAt } from './check-schedule.ts'
import { nextAttemptState, type AttemptEvent } from '../state-machine.ts'
import type { Mode } from '../../merchants/mode.ts'
import type { AttemptMetrics } from './report-charge-problem.ts'

// The only writer of an attempt's state, and so the only place that counts its moves. Whoever calls it holds the lock of
// the payment.

export type MoveDeps = { readonly metrics: Pick<AttemptMetrics, 'attemptMoved'> }

export type AttemptMove = {
  readonly before: StandingAttempt
  /** The payment's. */
  readonly mode: Mode
  readonly event: AttemptEvent
  readonly at: Date
  readonly connectorReference?: string
  readonly declineReason?: DeclineReason
  readonly pageUrl?: string
  readonly chargeReference?: string | undefined
  /** The amount the network took. */
  readonly charged?: Money | undefined
  /** What the network saved with it; nothing of it is written to the attempt. */
  readonly savedMethod?: SavedMethod | undefined
  /** When it is looked at next; else the schedule of its new state says so. */
  readonly checkAt?: Date | null
}

/** Undefined when the event must not happen in the state that the attempt is in; nothing was written. */
export async function moveAttempt(
  deps: MoveDeps,
  tx: Transaction,
  move: AttemptMove,
): Promise<StandingAttempt | undefined> {
  const moved = await moveAttempts(deps, tx, move.before.merchant_id, [move])
  return moved.get(attemptName(move.before))
}

/** Each attempt at most once. Returns those that moved, by name; the others must not be moved. */
export async function moveAttempts(
  { metrics }: MoveDeps,
  tx: Transaction,
  merchantId: number,
  moves: readonly AttemptMove[],
): Promise<Map<string, StandingAttempt>> {
  const changes = moves.flatMap((move) => {
    const { before, event, at, mode } = move
    const to = nextAttemptState(before.state, event)
    if (!to) return []
    const { merchant_id, number, attempt, state, connector } = before
    const place = { merchant_id, number, attempt, connector, mode, from_state: state, to_state: to }
    const next_check_at = move.checkAt === undefined ? firstCheckAt(to, at) : move.checkAt
    // Attempts in flight are checked again; finished ones aren't.
    return [{ ...place, ...columnsOf(move), event, at, is_over: next_check_at === null, next_check_at }]
  })
  if (changes.length === 0) return new Map() // No test: saves a statement that would do nothing
  await moveAttemptStates(tx, merchantId, changes)
  tx.whenEnded((committed) => {
    if (!committed) return
    for (const { mode, connector, to_state: outcome } of changes)
      metrics.attemptMoved({ mode, connector, outcome })
  })
  return new Map(
    changes.map((change) => {
      const { merchant_id, number, attempt, connector, to_state: state } = change
      const { decline_reason, charge_reference } = change
      const after = { merchant_id, number, attempt, connector, state, decline_reason, charge_reference }
      return [attemptName(after), after]
    }),
  )
}

function columnsOf(move: AttemptMove) {
  return {
    connector_reference: move.connectorReference ?? null,
    decline_reason: move.declineReason ?? null,
    page_url: move.pageUrl ?? null,
    charge_reference: move.chargeReference ?? move.before.charge_reference,
    charged_minor: move.charged ? String(move.charged.amountMinor) : null,
    charged_currency: move.charged?.currency ?? null,
  }
}
