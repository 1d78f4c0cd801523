import type { Database } from '../../database/database.ts'
import type { Job } from '../../jobs/job.ts'
import type { Logger } from '../../http/log.ts'
import { forgetHashes } from './decline-store.ts'
import { findMerchantsToForget } from './forget-look-store.ts'
import { forgetAfterMs } from './limits.ts'

const everyMs = 10 * 60_000
const merchantsMax = 100

type ForgetDeps = { readonly db: Database; readonly log: Logger; readonly now: () => Date }

export function forgetJob(deps: ForgetDeps): Job {
  return { name: 'forget cards', everyMs, run: async () => forget(deps) }
}

/** Hashes of addresses and cards, a day after their last decline; returns how many. */
async function forget({ db, log, now }: ForgetDeps): Promise<number> {
  const before = new Date(now().getTime() - forgetAfterMs)
  let count = 0
  for (const merchantId of await findMerchantsToForget(db, before, merchantsMax)) {
    try {
      count += await forgetHashes(db, merchantId, before)
    } catch (error) {
      log.error({ err: error, merchantId }, 'Hashes of cards of a merchant could not be forgotten')
    }
  }
  return count
}
