import { inMerchantTransaction, type Transaction } from '../../../platform/database/database.ts'
import { DatabaseUnavailable } from '../../../platform/errors/database-unavailable.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { visitEach } from '../../../platform/jobs/visit-due.ts'
import { findInFlight } from './attempt-store.ts'
import { nextPaymentOutOfTime } from './due-look-store.ts'
import { lockOutOfTime } from './due-store.ts'
import type { Paying } from './paying.ts'
import { lockPayments } from '../store.ts'
import { transitionAll, type Change } from '../transition.ts'

const everyMs = 5_000
const merchantsMax = 100
const batchMax = 500

export function expireJob(paying: Paying): Job {
  const nextDue = [nextPaymentOutOfTime]
  return { name: 'expire', everyMs, nextDue, run: async () => expirePayments(paying) }
}

/** Ends payments that are out of time, a batch of each merchant in one commit; returns how many. */
export async function expirePayments(paying: Paying): Promise<number> {
  const { log, now } = paying
  return visitEach({
    log,
    what: 'payments out of time',
    max: merchantsMax,
    look: async () => paying.findDue.withPaymentsOutOfTime(now(), merchantsMax),
    visit: async (merchantId) => expireOfMerchant(paying, merchantId),
    failed: "Could not expire a merchant's payments",
  })
}

async function expireOfMerchant(paying: Paying, merchantId: number): Promise<number> {
  let numbers: readonly string[] = []
  try {
    return await inMerchantTransaction(paying.db, async (tx) => {
      numbers = await lockOutOfTime(tx, merchantId, { now: paying.now(), max: batchMax })
      return expireAll(paying, tx, merchantId, numbers)
    })
  } catch (error) {
    if (numbers.length < 2 || error instanceof DatabaseUnavailable) throw error
    return expireEach(paying, merchantId, numbers)
  }
}

/** A payment that can't be ended must not keep the others open. */
async function expireEach(paying: Paying, merchantId: number, numbers: readonly string[]): Promise<number> {
  let count = 0
  for (const number of numbers) {
    try {
      count += await inMerchantTransaction(paying.db, async (tx) =>
        expireAll(paying, tx, merchantId, [number]),
      )
    } catch (error) {
      paying.log.error({ err: error, merchantId, number }, 'Could not expire a payment')
    }
  }
  return count
}

async function expireAll(
  paying: Paying,
  tx: Transaction,
  merchantId: number,
  numbers: readonly string[],
): Promise<number> {
  if (numbers.length === 0) return 0 // No test: saves a statement that would do nothing
  const payments = await lockPayments(tx, merchantId, numbers)
  // Looked up again under the lock: an attempt may have started after the list was read and before the lock.
  const busy = await findInFlight(tx, merchantId, numbers)
  const changes = [...payments.values()].flatMap((payment): Change[] =>
    busy.has(payment.number) ? [] : [{ payment, event: 'ran_out_of_time' }],
  )
  const moved = await transitionAll(paying, tx, merchantId, changes)
  return moved.filter((each) => each.moved).length
}
