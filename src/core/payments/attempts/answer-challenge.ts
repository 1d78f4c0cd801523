import { inMerchantTransaction } from '../../../platform/database/database.ts'
import { askNetwork } from './ask-network.ts'
import { findAttempt, type AttemptKey, type AttemptRow } from './attempt-store.ts'
import { moveAttempt } from './move-attempt.ts'
import { formConnectorOf, orderKeyOf, resultOf, recordOutcome, type PayResult } from './record-outcome.ts'
import { lockPayment } from '../store.ts'
import type { Paying } from './paying.ts'

// Two tabs may answer and give up at once. The network takes the first answer and repeats it to the second, so both end
// with the same outcome.

export async function answerChallenge(
  paying: Paying,
  key: AttemptKey,
  answer: 'approve' | 'refuse',
): Promise<PayResult> {
  const sent = await sendOn(paying, key)
  if (!sent) return { kind: 'closed' }
  if (!sent.first) return resultOf(sent.attempt)
  const connector = formConnectorOf(paying, sent.attempt)
  const outcome = await askNetwork(paying.log, async (signal) =>
    connector.continueAfterChallenge(orderKeyOf(sent.attempt), answer, signal),
  )
  return recordOutcome(paying, sent.attempt, outcome)
}

/** Walking away: the network ends the challenge first, so that an answer from another tab can't charge afterwards. */
export async function giveUpChallenge(paying: Paying, key: AttemptKey): Promise<PayResult> {
  const attempt = await findAttempt(paying.db, key)
  if (!attempt) return { kind: 'closed' }
  if (attempt.state !== 'action_required' || attempt.account_id !== null) return resultOf(attempt)
  const connector = formConnectorOf(paying, attempt)
  const outcome = await askNetwork(paying.log, async (signal) =>
    connector.withdraw(orderKeyOf(attempt), signal),
  )
  return recordOutcome(paying, attempt, outcome)
}

async function sendOn(
  paying: Paying,
  key: AttemptKey,
): Promise<{ attempt: AttemptRow; first: boolean } | undefined> {
  return inMerchantTransaction(paying.db, async (tx) => {
    const payment = await lockPayment(tx, key)
    const before = await findAttempt(tx, key)
    if (!payment || !before) return undefined
    const isChallenge = before.state === 'action_required' && before.account_id === null
    if (!isChallenge) return { attempt: before, first: false }
    const move = { before, mode: payment.mode, event: 'sent_on', at: paying.now() } as const
    const moved = await moveAttempt(paying, tx, move)
    return moved && { attempt: before, first: true }
  })
}
