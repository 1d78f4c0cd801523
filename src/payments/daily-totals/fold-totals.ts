import { inTransaction, type Database } from '../../database/database.ts'
import type { Job } from '../../jobs/job.ts'
import type { Logger } from '../../http/log.ts'
import { findMerchantsWithChanges } from './changes-look-store.ts'
import { addToTotals, mayFold, takeChanges } from './total-store.ts'

const everyMs = 5_000
const merchantsMax = 1_000
const changesMax = 5_000 // No test: the exact number is no promise

type FoldDeps = { readonly db: Database; readonly log: Logger }

/** Changes become totals. However late it runs, figures are right: until then changes are added up when they are asked for. */
export function foldTotalsJob({ db, log }: FoldDeps): Job {
  return {
    name: 'fold totals',
    everyMs,
    async run() {
      let again = 0
      for (const merchantId of await findMerchantsWithChanges(db, merchantsMax)) {
        try {
          if ((await foldTotals(db, merchantId)) === changesMax) again += 1
        } catch (error) {
          log.error({ err: error, merchantId }, 'Changes could not be folded into the totals of a merchant')
        }
      }
      // New ones come all the time; only who has a heap of them is visited again at once.
      return again
    },
  }
}

/** Returns how many changes it folded. */
export async function foldTotals(db: Database, merchantId: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    if (!(await mayFold(tx, merchantId))) return 0
    const changes = await takeChanges(tx, merchantId, changesMax)
    // No test: saves a statement that would do nothing
    if (changes.length > 0) await addToTotals(tx, merchantId, changes)
    return changes.length
  })
}
