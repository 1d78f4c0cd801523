import type { Database } from '../database/database.ts'
import type { Job } from '../jobs/job.ts'
import type { Logger } from '../http/log.ts'
import { findMerchantsOfOldest } from './audit-look-store.ts'
import { forgetEntries } from './audit-store.ts'

const everyMs = 3_600_000
const merchantsMax = 100
/** Of one merchant at a time: each step is a commit of its own, and nobody waits for it. */
const entriesMax = 500
const dayMs = 24 * 3_600_000

type ForgetDeps = {
  readonly db: Database
  readonly log: Logger
  readonly now: () => Date
  readonly days: number
}

/** The one way in which entries of the audit log go: their time is over. */
export function forgetAuditJob(deps: ForgetDeps): Job {
  return { name: 'forget old audit entries', everyMs, run: async () => forget(deps) }
}

async function forget({ db, log, now, days }: ForgetDeps): Promise<number> {
  const before = new Date(now().getTime() - days * dayMs)
  let count = 0
  for (const merchantId of await findMerchantsOfOldest(db, before, merchantsMax)) {
    try {
      const gone = await forgetEntries(db, merchantId, before, entriesMax)
      // No test: at most a log line about nothing
      if (gone > 0) log.info({ merchant: merchantId, entries: gone, days }, 'Old audit entries were deleted')
      count += gone
    } catch (error) {
      log.error({ err: error, merchant: merchantId }, 'Old audit entries of a merchant were not deleted')
    }
  }
  return count
}
