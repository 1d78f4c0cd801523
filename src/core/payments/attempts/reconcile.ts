import type { FormConnector, Outcome } from '../../networks/connector.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { visitDue } from '../../../platform/jobs/visit-due.ts'
import { askNetwork } from './ask-network.ts'
import { attemptKey, scheduleCheck, type AttemptRow } from './attempt-store.ts'
import { nextCheckAt } from './check-schedule.ts'
import { nextAttemptCheck } from './due-look-store.ts'
import { claimAttemptsToCheck } from './due-store.ts'
import { checkHosted } from './hosted/check-hosted.ts'
import { returnSurplus } from './hosted/return-surplus.ts'
import { formConnectorOf, orderKeyOf } from './record-outcome.ts'
import type { Paying } from './paying.ts'

// Asks the network about attempts whose outcome we do not have: a time-out, a server that died, a customer who left.
// A claim is a lease: a worker that dies or is paused holds nothing up, and two that meet do no harm, as every
// answer goes through apply-outcome.

const everyMs = 1_000
const leaseMs = 30_000
const claimMax = 20
/** A network that does not answer must not keep the attempts of all others waiting: the next round begins after this. */
const patienceMs = 2_000

export function reconcileJob(paying: Paying): Job {
  const nextDue = [nextAttemptCheck]
  return { name: 'reconcile', everyMs, nextDue, run: async () => reconcile(paying, patienceMs) }
}

/** One round; returns how many attempts were looked at, or are still being looked at when patience ends. */
export async function reconcile(paying: Paying, patience?: number): Promise<number> {
  const { db, log } = paying
  const now = paying.now()
  return visitDue<AttemptRow>({
    log,
    what: 'attempts',
    max: claimMax,
    patienceMs: patience,
    look: async () => paying.findDue.withAttemptsToCheck(now, leaseMs, claimMax),
    claim: async (merchantId, max) => claimAttemptsToCheck(db, merchantId, { now, leaseMs, max }),
    work: async (attempt) => check(paying, attempt),
    keyOf: attemptKey,
    failed: 'Could not check an attempt; will retry',
  })
}

async function check(paying: Paying, attempt: AttemptRow): Promise<void> {
  if (attempt.account_id !== null) return checkHosted(paying, attempt)
  if (attempt.state === 'surplus') return returnSurplus(paying, attempt)
  const connector = formConnectorOf(paying, attempt)
  const found = await askNetwork(paying.log, async (signal) => findOut(connector, attempt, signal))
  if (found.kind === 'pending' && attempt.state === 'unknown') return waitLonger(paying, attempt)
  // An unreachable network uses up no check: the lease alone decides when it is asked again, so that an attempt is
  // settled within a minute of the network's return, however long it was down.
  if (found.kind === 'no_answer' && attempt.state === 'unknown') return
  await paying.applyOutcome(attemptKey(attempt), found.kind === 'pending' ? { kind: 'no_answer' } : found)
}

async function findOut(
  connector: FormConnector,
  attempt: AttemptRow,
  signal: AbortSignal,
): Promise<Outcome | { readonly kind: 'pending' }> {
  const order = orderKeyOf(attempt)
  if (attempt.state === 'action_required') return connector.withdraw(order, signal)
  const status = await connector.fetchStatus(order, signal)
  // The server died before it could show the 3-D Secure page: show it now.
  if (status.kind === 'action_required' && attempt.state === 'started') return status
  // An answer to a challenge that was lost can't be asked for again. And an order that the network has not seen may
  // still be on its way: withdrawing shuts it out, so that "not paid" stays true.
  const stuck = status.kind === 'action_required' || status.kind === 'not_found'
  if (!stuck) return status
  const ended = await connector.withdraw(order, signal)
  // The customer did their part on the 3-D Secure page, and Florin didn't get their answer through.
  const isLost = ended.kind === 'declined' && ended.reason === 'challenge_abandoned'
  return isLost ? { kind: 'declined', reason: 'network_silent' } : ended
}

async function waitLonger(paying: Paying, attempt: AttemptRow): Promise<void> {
  const checks = attempt.checks + 1
  const at = nextCheckAt(checks, new Date(attempt.started_at), paying.now())
  await scheduleCheck(paying.db, attemptKey(attempt), { checks, at })
  if (!at)
    paying.log.error(attemptKey(attempt), 'A network did not decide within seven days; check it by hand')
}
