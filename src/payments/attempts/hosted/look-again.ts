import { askNetwork } from '../ask-network.ts'
import { attemptKey, scheduleCheck } from '../attempt-store.ts'
import { afterReturnMs } from '../check-schedule.ts'
import { recordOutcome } from '../record-outcome.ts'
import type { PaymentKey } from '../../store.ts'
import type { Paying } from '../paying.ts'
import { askHosted } from './ask-hosted.ts'
import { claimLook } from './hosted-store.ts'

// Somebody looks at a payment whose customer is, or was, on a network's page. The network is asked at once, so that a
// lost callback costs seconds; not at every look, and not for longer than a person waits for a page.

const everyMs = 3_000
const limitMs = 4_000

/** Returns whether the network said something new. */
export async function lookAgain(
  paying: Paying,
  key: PaymentKey,
  came: 'by_itself' | 'from_the_page',
): Promise<boolean> {
  const now = paying.now()
  const attempt = await claimLook(paying.db, key, { now, everyMs })
  if (!attempt) return false
  const found = await askNetwork(paying.log, async (signal) => askHosted(paying, attempt, signal), limitMs)
  if (found.kind === 'still_open' || found.kind === 'no_answer' || isNothingNew(found.kind, attempt.state)) {
    // Whoever closes the page right after coming back is not looked for only minutes later.
    const at = new Date(now.getTime() + afterReturnMs)
    if (came === 'from_the_page') await scheduleCheck(paying.db, attemptKey(attempt), { checks: 0, at })
    return false
  }
  await recordOutcome(paying, attempt, found)
  return true
}

function isNothingNew(found: string, state: string): boolean {
  return found === 'pending' && state !== 'action_required'
}
