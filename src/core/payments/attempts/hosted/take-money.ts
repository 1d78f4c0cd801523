import { askNetwork } from '../ask-network.ts'
import { attemptKey, type AttemptRow, type StandingAttempt } from '../attempt-store.ts'
import type { NetworkOutcome } from '../network-word.ts'
import type { Paying } from '../paying.ts'
import { accountOf } from './account-of.ts'
import { wordOf } from './ask-hosted.ts'
import { hostedOrderKey } from './hosted-order.ts'

// At some networks approving isn't paying: they take the money when told to. The approval is committed first, and only
// while the payment can be paid; from then on it can't be withdrawn, cancelled or expired. Then the network is told,
// outside any transaction. If the answer is lost the attempt stays submitted, the schedule asks the network about it,
// and one that is still only approved is captured again with the same key.

/** Applies a network's answer; an approval is also captured, and the result of that is applied too. */
export async function applyWord(
  paying: Paying,
  attempt: AttemptRow,
  word: NetworkOutcome,
  limitMs?: number,
): Promise<StandingAttempt> {
  const key = attemptKey(attempt)
  const after = await paying.applyOutcome(key, word)
  if (word.kind !== 'approved' || after.state !== 'submitted') return after
  const taken = await askNetwork(paying.log, async (signal) => capture(paying, attempt, signal), limitMs)
  return taken.kind === 'no_answer' ? after : paying.applyOutcome(key, taken)
}

async function capture(paying: Paying, attempt: AttemptRow, signal: AbortSignal): Promise<NetworkOutcome> {
  const { connector, account } = await accountOf(paying, attempt)
  if (!connector.capture) throw new Error(`${connector.name} has nothing to capture`)
  const status = await connector.capture(account, hostedOrderKey(attempt), signal)
  // Neither taken nor refused: it is asked about again.
  if (status.kind === 'open' || status.kind === 'approved' || status.kind === 'not_found')
    return { kind: 'no_answer' }
  return wordOf(status)
}
