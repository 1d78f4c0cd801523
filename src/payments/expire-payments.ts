import { inTransaction } from '../database/database.ts'
import type { OutcomeDeps } from './apply-outcome.ts'
import { isInFlight, lockOutOfTime } from './attempt-store.ts'
import { transition } from './transition.ts'

const everyMs = 5_000
const batchMax = 50

export function expireJob(deps: OutcomeDeps) {
  return { name: 'expire', everyMs, run: async () => expirePayments(deps) }
}

/** Ends payments that are out of time, a batch in one commit; returns how many. */
export async function expirePayments(deps: OutcomeDeps): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    let expired = 0
    for (const key of await lockOutOfTime(tx, deps.now(), batchMax)) {
      // Looked up again under the lock: an attempt may have started after the list was read and before the lock.
      if (await isInFlight(tx, key)) continue
      const { moved } = await transition(tx, key, 'ran_out_of_time', deps.baseUrl)
      if (moved) expired += 1
    }
    return expired
  })
}
