import { inTransaction } from '../database/database.ts'
import type { OutcomeDeps } from './apply-outcome.ts'
import { findInFlight, lockOutOfTime } from './attempt-store.ts'
import { lockPayments } from './store.ts'
import { transitionAll, type Change } from './transition.ts'

const everyMs = 5_000
const batchMax = 500

export function expireJob(deps: OutcomeDeps) {
  return { name: 'expire', everyMs, run: async () => expirePayments(deps) }
}

/** Ends payments that are out of time, a batch in one commit; returns how many. */
export async function expirePayments(deps: OutcomeDeps): Promise<number> {
  return inTransaction(deps.db, async (tx) => {
    const keys = await lockOutOfTime(tx, deps.now(), batchMax)
    if (keys.length === 0) return 0
    const payments = await lockPayments(tx, keys)
    // Looked up again under the lock: an attempt may have started after the list was read and before the lock.
    const busy = await findInFlight(tx, keys)
    const changes = [...payments].flatMap(([name, payment]): Change[] =>
      busy.has(name) ? [] : [{ payment, event: 'ran_out_of_time' }],
    )
    const moved = await transitionAll(tx, changes, deps.baseUrl)
    return moved.filter((each) => each.moved).length
  })
}
