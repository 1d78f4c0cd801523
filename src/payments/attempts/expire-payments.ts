import { inTransaction, type Transaction } from '../../database/database.ts'
import { DatabaseUnavailable } from '../../errors/database-unavailable.ts'
import type { OutcomeDeps } from './apply-outcome.ts'
import { findInFlight, lockOutOfTime } from './attempt-store.ts'
import { lockPayments, type PaymentKey } from '../store.ts'
import { transitionAll, type Change } from '../transition.ts'

const everyMs = 5_000
const batchMax = 500

export function expireJob(deps: OutcomeDeps) {
  return { name: 'expire', everyMs, run: async () => expirePayments(deps) }
}

/** Ends payments that are out of time, a batch in one commit; returns how many. */
export async function expirePayments(deps: OutcomeDeps): Promise<number> {
  let keys: readonly PaymentKey[] = []
  try {
    return await inTransaction(deps.db, async (tx) => {
      keys = await lockOutOfTime(tx, deps.now(), batchMax)
      return expireAll(deps, tx, keys)
    })
  } catch (error) {
    if (keys.length < 2 || error instanceof DatabaseUnavailable) throw error
    return expireEach(deps, keys)
  }
}

/** One that can't be ended must not keep the others open. */
async function expireEach(deps: OutcomeDeps, keys: readonly PaymentKey[]): Promise<number> {
  let count = 0
  for (const key of keys) {
    try {
      count += await inTransaction(deps.db, async (tx) => expireAll(deps, tx, [key]))
    } catch (error) {
      deps.log.error({ err: error, ...key }, 'A payment could not be expired')
    }
  }
  return count
}

async function expireAll(deps: OutcomeDeps, tx: Transaction, keys: readonly PaymentKey[]): Promise<number> {
  if (keys.length === 0) return 0
  const payments = await lockPayments(tx, keys)
  // Looked up again under the lock: an attempt may have started after the list was read and before the lock.
  const busy = await findInFlight(tx, keys)
  const changes = [...payments].flatMap(([name, payment]): Change[] =>
    busy.has(name) ? [] : [{ payment, event: 'ran_out_of_time' }],
  )
  const moved = await transitionAll(deps, tx, changes)
  return moved.filter((each) => each.moved).length
}
