import type { Job } from '../../platform/jobs/job.ts'
import { makeRecentMerchants } from '../../platform/jobs/lately.ts'
import { visitDue } from '../../platform/jobs/visit-due.ts'
import { nextCheckAt } from '../../core/payments/attempts/check-schedule.ts'
import { applyStatus, refundKey } from './apply-status.ts'
import { findMerchantsWithRefundsToCheck, nextRefundCheck } from './due-look-store.ts'
import { beginSending, claimRefundsToCheck, scheduleCheck } from './due-store.ts'
import { leaseMs, type Refunding } from './refunding.ts'
import { callNetwork } from './send-refund.ts'
import type { RefundRow } from './store.ts'

// Brings refunds to their end: those whose server died, whose answer was lost, that wait for an earlier one, and those
// that the network has not decided. A claim is a lease, so any number of workers may run, and as every answer goes
// through apply-status.ts and every call carries the same key, two that meet do no harm.

const everyMs = 1_000
const claimMax = 20
/** A network that does not answer must not keep the refunds of all others waiting. */
const patienceMs = 2_000

export function refundJob(refunding: Refunding): Job {
  const lately = makeRecentMerchants()
  const run = async (): Promise<number> => reconcileRefunds(refunding, patienceMs, lately)
  return { name: 'refunds', everyMs, nextDue: [nextRefundCheck], run }
}

/** One round; returns how many refunds were looked at, or are still being looked at when patience ends. */
export async function reconcileRefunds(
  refunding: Refunding,
  patience?: number,
  lately = makeRecentMerchants(),
): Promise<number> {
  const { db, log, now: clock } = refunding
  const now = clock()
  return visitDue<RefundRow>({
    log,
    lately,
    what: 'refunds',
    max: claimMax,
    patienceMs: patience,
    look: async () => findMerchantsWithRefundsToCheck(db, { now, leaseMs, max: claimMax }),
    claim: async (merchantId, max) => claimRefundsToCheck(db, merchantId, { now, leaseMs, max }),
    work: async (refund) => check(refunding, refund),
    keyOf: refundKey,
    failed: 'Could not check a refund; will retry',
  })
}

async function check(refunding: Refunding, claimed: RefundRow): Promise<void> {
  const { db, now } = refunding
  const refund =
    claimed.sent_at === null ? await beginSending(db, refundKey(claimed), { now: now(), leaseMs }) : claimed
  // It lost its turn between the claim and now: the lease alone decides when it is looked at again.
  if (!refund) return
  const status = await callNetwork(refunding, refund)
  // A network that can't be reached used up no check.
  if (status.kind === 'no_answer') return
  const after = await applyStatus(refunding, refundKey(refund), status)
  if (after.state === refund.state) await waitLonger(refunding, after)
}

async function waitLonger({ db, log, now }: Refunding, refund: RefundRow): Promise<void> {
  const checks = refund.checks + 1
  // From when it was sent: it may have waited for days until an earlier one was known.
  const at = nextCheckAt(checks, new Date(refund.sent_at ?? refund.created_at), now())
  await scheduleCheck(db, refundKey(refund), { checks, at })
  if (!at)
    log.error(refundKey(refund), 'A network did not decide a refund within seven days; check it by hand')
}
