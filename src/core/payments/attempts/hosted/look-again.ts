import { askNetwork } from '../ask-network.ts'
import { attemptKey, scheduleCheck, type AttemptRow } from '../attempt-store.ts'
import { afterReturnMs } from '../check-schedule.ts'
import type { NetworkOutcome } from '../network-word.ts'
import { recordOutcome } from '../record-outcome.ts'
import type { PaymentKey } from '../../store.ts'
import type { Paying } from '../paying.ts'
import { askGivenUp, askHosted } from './ask-hosted.ts'
import { claimLook } from './hosted-store.ts'

// Somebody looks at a payment whose customer is, or was, on a network's page. The network is asked at once, so that a
// lost callback costs seconds; not at every look, and not for longer than a person waits for a page.

/**
 * Why the payment is viewed. A customer back from the page has probably just paid there: an answer from a second ago is
 * out of date.
 */
export type VisitOrigin = 'by_itself' | 'from_the_page'

const everyMs = { by_itself: 3_000, from_the_page: 500 } as const
const limitMs = 4_000

/**
 * `still_open`: the network was asked just now, and nothing was paid on its page. `nothing_new`: no more is known than
 * before.
 */
export type Looked = 'new' | 'still_open' | 'nothing_new'

export async function lookAgain(paying: Paying, key: PaymentKey, came: VisitOrigin): Promise<Looked> {
  const now = paying.now()
  const attempt = await claimLook(paying.db, key, { now, everyMs: everyMs[came] })
  if (!attempt) return 'nothing_new'
  const ask = attempt.state === 'left_open' ? askGivenUp : askHosted
  const found = await askNetwork(paying.log, async (signal) => ask(paying, attempt, signal), limitMs)
  if (found.kind === 'still_open' || found.kind === 'no_answer' || isNothingNew(found, attempt)) {
    // Whoever closes the page right after coming back is not looked for only minutes later.
    const at = new Date(now.getTime() + afterReturnMs)
    if (came === 'from_the_page') await scheduleCheck(paying.db, attemptKey(attempt), { checks: 0, at })
    return found.kind === 'still_open' ? 'still_open' : 'nothing_new'
  }
  await recordOutcome(paying, attempt, found, limitMs)
  return 'new'
}

/** Undecided as before. That a capture takes days is new, once. */
export function isNothingNew(found: NetworkOutcome, { state, charge_reference }: AttemptRow): boolean {
  if (found.kind !== 'pending' || state === 'action_required') return false
  return found.chargeReference === undefined || charge_reference !== null || state !== 'submitted'
}
