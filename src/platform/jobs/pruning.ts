import type { Database } from '../database/database.ts'
import type { Core } from './core.ts'
import type { Job } from './job.ts'
import { visitEach } from './visit-due.ts'

// Data that is kept for a time and then deleted: each module says what, src/app/retention.ts says for how long. Deleted
// merchant by merchant and some hundred rows at a time, so that no request waits for it and it can stop anywhere.

export type Pruning = {
  /** As the log calls it. */
  readonly name: string
  /** The pause between two looks; an hour unless given. */
  readonly everyMs?: number
  /** How many rows of one merchant go in one step; 500 unless given. */
  readonly atOnce?: number
  /** Merchants that have something from before this moment; 0 for what belongs to none. */
  readonly findMerchants: (db: Database, before: Date, max: number) => Promise<readonly number[]>
  /** Deletes at most `max` things of one merchant from before this moment; returns how many. */
  readonly prune: (db: Database, merchantId: number, before: Date, max: number) => Promise<number>
}

/** Undefined: for ever. */
export type Kept = { readonly pruning: Pruning; readonly days: number | undefined }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const merchantsMax = 100
const rowsMax = 500

/** One for each kind, so that a kind with very much to delete holds up no other. */
export function pruneJobs(kept: readonly Kept[], core: Core): Job[] {
  return kept
    .filter(({ days }) => days !== undefined)
    .map((one) => ({
      name: `prune ${one.pruning.name}`,
      everyMs: one.pruning.everyMs ?? hourMs,
      run: async () => prune(one, core),
    }))
}

/** One round; returns how many rows were deleted, of which there may be more. */
export async function prune({ pruning, days }: Kept, { db, now, log }: Core): Promise<number> {
  if (days === undefined) return 0
  const { name: what, atOnce = rowsMax } = pruning
  const before = new Date(now().getTime() - days * dayMs)
  const count = await visitEach({
    log,
    what,
    max: merchantsMax,
    look: async () => pruning.findMerchants(db, before, merchantsMax),
    visit: async (merchantId) => pruning.prune(db, merchantId, before, atOnce),
    failed: 'Old data could not be deleted',
  })
  if (count > 0) log.info({ what, count, days }, 'Deleted old data')
  return count
}
