import { askNetwork } from '../ask-network.ts'
import { attemptKey, scheduleCheck, type AttemptRow } from '../attempt-store.ts'
import {
  debitChecksEndMs,
  nextCheckAt,
  nextLeftOpenCheckAt,
  nextPageCheckAt,
  unknownChecksEndMs,
} from '../check-schedule.ts'
import type { Paying } from '../paying.ts'
import { askGivenUp, askHosted } from './ask-hosted.ts'
import { isNothingNew } from './look-again.ts'
import { returnSurplus } from './return-surplus.ts'
import { applyWord } from './take-money.ts'

/** What the schedule does about an attempt on a network's own page. */
export async function checkHosted(paying: Paying, attempt: AttemptRow): Promise<void> {
  if (attempt.state === 'surplus') return returnSurplus(paying, attempt)
  if (attempt.state === 'left_open') return checkLeftOpen(paying, attempt)
  const found = await askNetwork(paying.log, async (signal) => askHosted(paying, attempt, signal))
  if (found.kind === 'no_answer' && attempt.state === 'started')
    return attempt.saved_method_id === null ? giveUpUnseen(paying, attempt) : lostCharge(paying, attempt)
  // Nothing is decided by not being heard: the lease says when the network is asked again.
  if (found.kind === 'no_answer') return
  if (found.kind === 'still_open' || isNothingNew(found, attempt)) return waitLonger(paying, attempt)
  await applyWord(paying, attempt, found)
}

/** A page that the network can't close: whether the customer has paid on it after all. */
async function checkLeftOpen(paying: Paying, attempt: AttemptRow): Promise<void> {
  const found = await askNetwork(paying.log, async (signal) => askGivenUp(paying, attempt, signal))
  if (found.kind === 'no_answer') return
  if (found.kind !== 'still_open') {
    await paying.applyOutcome(attemptKey(attempt), found)
    return
  }
  const checks = attempt.checks + 1
  const at = nextLeftOpenCheckAt(checks, new Date(attempt.updated_at), paying.now())
  await scheduleCheck(paying.db, attemptKey(attempt), { checks, at })
}

/** A page whose URL was never given out can't be paid: the customer needn't wait for this network. */
async function giveUpUnseen(paying: Paying, attempt: AttemptRow): Promise<void> {
  await paying.applyOutcome(attemptKey(attempt), { kind: 'not_made', reason: 'processing_error' })
}

/** A charge of a saved method may have gone through: it is asked about until the network answers. */
async function lostCharge(paying: Paying, attempt: AttemptRow): Promise<void> {
  await paying.applyOutcome(attemptKey(attempt), { kind: 'no_answer' })
}

async function waitLonger(paying: Paying, attempt: AttemptRow): Promise<void> {
  const now = paying.now()
  const endsAt = attempt.page_expires_at === null ? null : new Date(attempt.page_expires_at)
  const endMs = isDebit(attempt) ? debitChecksEndMs : unknownChecksEndMs
  const at =
    attempt.state === 'action_required'
      ? nextPageCheckAt(attempt.checks + 1, endsAt, now)
      : nextCheckAt(attempt.checks + 1, new Date(attempt.started_at), now, endMs)
  await scheduleCheck(paying.db, attemptKey(attempt), { checks: attempt.checks + 1, at })
  const days = isDebit(attempt) ? 'thirty' : 'seven'
  if (!at)
    paying.log.error(attemptKey(attempt), `A network did not decide within ${days} days; check it by hand`)
}

function isDebit({ saved_method_id: savedMethodId, method }: AttemptRow): boolean {
  return savedMethodId !== null && method === 'bank'
}
