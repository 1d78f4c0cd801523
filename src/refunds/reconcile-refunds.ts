import type { Job } from '../jobs/job.ts'
import { makeLately } from '../merchants/lately.ts'
import { nextCheckAt } from '../payments/attempts/check-schedule.ts'
import { applyStatus, refundKey } from './apply-status.ts'
import { findMerchantsWithRefundsToCheck } from './due-look-store.ts'
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
  const lately = makeLately()
  return { name: 'refunds', everyMs, run: async () => reconcileRefunds(refunding, patienceMs, lately) }
}

/** One round; returns how many refunds were looked at, or are still being looked at when patience ends. */
export async function reconcileRefunds(
  refunding: Refunding,
  patience?: number,
  lately = makeLately(),
): Promise<number> {
  const { db, log, now: clock } = refunding.paying
  const now = clock()
  const merchants = await findOrRemember(refunding, lately, now)
  // Shared out, so that a merchant with thousands leaves room for one with a single refund.
  const max = Math.ceil(claimMax / Math.max(1, merchants.length))
  const checks: Promise<void>[] = []
  for (const merchantId of merchants) {
    try {
      const claimed = await claimRefundsToCheck(db, merchantId, { now, leaseMs, max })
      for (const refund of claimed) checks.push(checkSafely(refunding, refund))
    } catch (error) {
      log.error({ err: error, merchantId }, 'Refunds of a merchant could not be claimed')
    }
  }
  await (patience === undefined ? Promise.all(checks) : atMost(patience, Promise.all(checks)))
  return checks.length
}

/** While a look over all merchants fails, those that had some lately are visited. */
async function findOrRemember(
  { paying: { db, log } }: Refunding,
  lately: ReturnType<typeof makeLately>,
  now: Date,
): Promise<readonly number[]> {
  let found: readonly number[]
  try {
    found = await findMerchantsWithRefundsToCheck(db, { now, leaseMs, max: claimMax })
  } catch (error) {
    found = lately.list().slice(0, claimMax)
    if (found.length === 0) throw error
    log.warn({ err: error }, 'A look for refunds failed; merchants that had some lately are visited')
  }
  lately.remember(...found)
  return found
}

async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, enough])
  clearTimeout(timer)
}

async function checkSafely(refunding: Refunding, refund: RefundRow): Promise<void> {
  try {
    await check(refunding, refund)
  } catch (error) {
    const { log } = refunding.paying
    log.error({ err: error, ...refundKey(refund) }, 'A refund could not be checked; it will be tried again')
  }
}

async function check(refunding: Refunding, claimed: RefundRow): Promise<void> {
  const { db, now } = refunding.paying
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

async function waitLonger({ paying }: Refunding, refund: RefundRow): Promise<void> {
  const checks = refund.checks + 1
  // From when it was sent: it may have waited for days until an earlier one was known.
  const at = nextCheckAt(checks, new Date(refund.sent_at ?? refund.created_at), paying.now())
  await scheduleCheck(paying.db, refundKey(refund), { checks, at })
  if (!at)
    paying.log.error(
      refundKey(refund),
      'A network did not decide about a refund within seven days; a person must look',
    )
}
