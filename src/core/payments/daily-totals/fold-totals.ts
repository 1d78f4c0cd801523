import { inTransaction, type Database } from '../../../platform/database/database.ts'
import type { Core } from '../../../platform/jobs/core.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import { visitEach } from '../../../platform/jobs/visit-due.ts'
import { findMerchantsWithChanges, nextFold } from './changes-look-store.ts'
import { addToTotals, mayFold, takeChanges } from './total-store.ts'

const everyMs = 5_000
const merchantsMax = 1_000
const changesMax = 5_000 // No test: the exact number is no promise

/** Changes become totals. However late it runs, figures are right: until then changes are added up when they are asked for. */
export function foldTotalsJob({ db, log }: Pick<Core, 'db' | 'log'>): Job {
  return {
    name: 'fold totals',
    everyMs,
    nextDue: [nextFold],
    run: async () =>
      visitEach({
        log,
        what: 'changes of totals',
        max: merchantsMax,
        look: async () => findMerchantsWithChanges(db, merchantsMax),
        // New changes come all the time; only a merchant with very many is visited again at once.
        visit: async (merchantId) => ((await foldTotals(db, merchantId)) === changesMax ? 1 : 0),
        failed: "Could not add changes to a merchant's totals",
      }),
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
