import type { Job } from '../../../platform/jobs/job.ts'
import { makeRecentMerchants } from '../../../platform/jobs/lately.ts'
import { visitDue } from '../../../platform/jobs/visit-due.ts'
import { askNetwork } from '../../../core/payments/attempts/ask-network.ts'
import { nextCheckAt } from '../../../core/payments/attempts/check-schedule.ts'
import { forgetAtNetwork } from '../../../core/payments/saving/charge.ts'
import { findMerchantsWithMethodsToForget, nextForget } from '../due-look-store.ts'
import { claimMethodsToForget, scheduleForget, setForgotten, type MethodToForget } from './forget-store.ts'
import type { MethodKeeping } from '../keeping.ts'
import { openToken } from '../tokens.ts'

// Tells networks that a method has ended, until they confirm it: then the token is deleted here, too.

const everyMs = 1_000
const leaseMs = 60_000
const claimMax = 20
const patienceMs = 2_000

export function forgetMethodsJob(keeping: MethodKeeping): Job {
  const lately = makeRecentMerchants()
  return {
    name: 'saved-methods',
    everyMs,
    nextDue: [nextForget],
    run: async () => forgetMethods(keeping, patienceMs, lately),
  }
}

/** One round; returns how many methods it worked on. */
export async function forgetMethods(
  keeping: MethodKeeping,
  patience?: number,
  lately = makeRecentMerchants(),
): Promise<number> {
  const { db, log, now: clock } = keeping
  const now = clock()
  return visitDue<MethodToForget>({
    log,
    lately,
    what: 'saved methods',
    max: claimMax,
    patienceMs: patience,
    look: async () => findMerchantsWithMethodsToForget(db, { now, max: claimMax }),
    claim: async (merchantId, max) => claimMethodsToForget(db, merchantId, { now, leaseMs, max }),
    work: async (method) => forget(keeping, method),
    keyOf: ({ merchant_id: merchantId, id }) => ({ merchantId, id }),
    failed: 'Could not end a saved method at its network; will retry',
  })
}

async function forget(keeping: MethodKeeping, method: MethodToForget): Promise<void> {
  const { db, log, now, paying } = keeping
  const { merchant_id: merchantId, id, connector, account_id: accountId, kind } = method
  const key = { merchantId, id }
  const token = await openToken(keeping, key)
  const told =
    token === undefined
      ? { kind: 'told' as const }
      : await askNetwork(log, async (signal) => {
          const charged = { id, connector, accountId, kind, brand: null, last4: null }
          await forgetAtNetwork(paying, merchantId, charged, token, signal)
          return { kind: 'told' as const }
        })
  if (told.kind === 'told') return setForgotten(db, key)
  const at = nextCheckAt(method.forget_tries, new Date(method.ended_at), now())
  await scheduleForget(db, key, at)
  if (!at) log.error(key, 'A network did not end a saved method within seven days; end it there by hand')
}
