import type { Database } from '../database/database.ts'
import type { Job } from '../jobs/job.ts'

// What is kept for a time and then goes: each room says what, src/server/retention.ts for how long. Merchant by merchant and some
// hundred rows at a time, so that nobody waits for it and it can stop anywhere.

export type Pruning = {
  /** As the log calls it. */
  readonly name: string
  /** Merchants that have something from before this moment; 0 for what belongs to none. */
  findMerchants(db: Database, before: Date, max: number): Promise<readonly number[]>
  /** Does away with at most `max` things of one merchant from before this moment; how many it were. */
  prune(db: Database, merchantId: number, before: Date, max: number): Promise<number>
}

/** In days; 0: for ever. */
export type Kept = { readonly pruning: Pruning; readonly days: number }

type PruneDeps = {
  readonly db: Database
  readonly now: () => Date
  readonly log: { info(facts: object, line: string): void; error(facts: object, line: string): void }
}

const everyMs = 3_600_000
const dayMs = 24 * 3_600_000
const merchantsMax = 100
const rowsMax = 500

export function pruneJob(kept: readonly Kept[], deps: PruneDeps): Job {
  return { name: 'prune what is old', everyMs, run: async () => prune(kept, deps) }
}

/** One round; returns how many things went, of which there may be more. */
export async function prune(kept: readonly Kept[], { db, now, log }: PruneDeps): Promise<number> {
  let sum = 0
  for (const { pruning, days } of kept) {
    if (days === 0) continue
    const before = new Date(now().getTime() - days * dayMs)
    let count = 0
    for (const merchantId of await pruning.findMerchants(db, before, merchantsMax)) {
      try {
        count += await pruning.prune(db, merchantId, before, rowsMax)
      } catch (error) {
        log.error({ err: error, merchantId, what: pruning.name }, 'What is old could not be pruned')
      }
    }
    if (count > 0) log.info({ what: pruning.name, count }, 'Pruned what is old')
    sum += count
  }
  return sum
}
