import type { Database } from '../database/database.ts'
import type { Job } from '../jobs/job.ts'
import type { Logger } from '../http/log.ts'
import { findMerchantsToPrune } from './prune-look-store.ts'
import { deleteRequestsBefore, type LoggedMode } from './request-store.ts'

const everyMs = 600_000
const dayMs = 24 * 3_600_000
const rowsPerLook = 10_000
/** A statement of some milliseconds: nobody else waits for it. */
const rowsPerStep = 1_000
const modes: readonly LoggedMode[] = ['test', 'live', 'none']

type PruneDeps = {
  readonly db: Database
  readonly log: Logger
  readonly now: () => Date
  readonly days: number
}

/** Requests are forgotten after so many days. */
export function pruneRequestsJob(deps: PruneDeps): Job {
  return { name: 'forget requests', everyMs, run: async () => prune(deps) }
}

/** One step for each merchant and mode; returns how many rows went, so that the next step follows at once. */
async function prune({ db, log, now, days }: PruneDeps): Promise<number> {
  const before = new Date(now().getTime() - days * dayMs)
  let count = 0
  for (const merchantId of await findMerchantsToPrune(db, before, rowsPerLook)) {
    try {
      for (const mode of modes)
        count += await deleteRequestsBefore(db, { merchantId, mode }, before, rowsPerStep)
    } catch (error) {
      log.error({ err: error, merchantId }, 'Old requests of a merchant could not be forgotten')
    }
  }
  return count
}
