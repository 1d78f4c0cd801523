import { inTransaction } from '../../database/database.ts'
import { askNetwork } from './ask-network.ts'
import { findAttempt, type AttemptKey, type AttemptRow } from './attempt-store.ts'
import { moveAttempt } from './move-attempt.ts'
import {
  connectorOf,
  orderKeyOf,
  resultOf,
  settle,
  type PayerDeps,
  type PayResult,
} from './record-outcome.ts'
import { lockPayment } from '../store.ts'

// Two tabs may answer and walk away at once. The network takes the first word it hears and repeats it to the second,
// so both end with the same outcome.

export async function answerChallenge(
  deps: PayerDeps,
  key: AttemptKey,
  answer: 'approve' | 'refuse',
): Promise<PayResult> {
  const sent = await sendOn(deps, key)
  if (!sent) return { kind: 'closed' }
  if (!sent.first) return resultOf(sent.attempt)
  const connector = connectorOf(deps, sent.attempt)
  const outcome = await askNetwork(deps.log, async (signal) =>
    connector.continueAfterChallenge(orderKeyOf(sent.attempt), answer, signal),
  )
  return settle(deps, sent.attempt, outcome)
}

/** Walking away: the network ends the challenge first, so that an answer from another tab can't charge afterwards. */
export async function giveUpChallenge(deps: PayerDeps, key: AttemptKey): Promise<PayResult> {
  const attempt = await findAttempt(deps.db, key)
  if (!attempt) return { kind: 'closed' }
  if (attempt.state !== 'action_required') return resultOf(attempt)
  const connector = connectorOf(deps, attempt)
  const outcome = await askNetwork(deps.log, async (signal) =>
    connector.withdraw(orderKeyOf(attempt), signal),
  )
  return settle(deps, attempt, outcome)
}

async function sendOn(
  deps: PayerDeps,
  key: AttemptKey,
): Promise<{ attempt: AttemptRow; first: boolean } | undefined> {
  return inTransaction(deps.db, async (tx) => {
    await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!before) return undefined
    if (before.state !== 'action_required') return { attempt: before, first: false }
    const moved = await moveAttempt(tx, { before, event: 'sent_on', at: deps.now() })
    return moved && { attempt: before, first: true }
  })
}
