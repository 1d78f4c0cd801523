import type { Database } from '../../../platform/database/database.ts'
import { makeMeasured } from '../../../platform/http/measured.ts'
import type { Metrics } from '../../../platform/http/metrics.ts'
import type { Mode } from '../../merchants/mode.ts'
import { findMerchantsWithUnknownAttempts } from './due-look-store.ts'
import { listUnknown, measureUnknown, type UnknownAttempt } from './due-store.ts'

// Charges with an unknown outcome: money of customers that hangs in the air.

type Figures = { readonly count: number; readonly oldestSeconds: number }

const merchantsAtOnce = 1_000

export function countUnknownAttempts(metrics: Metrics, db: Database, now: () => Date): void {
  const figures = makeMeasured(async () => measure(db, now()), { count: NaN, oldestSeconds: NaN })
  metrics.gauge(
    'florin_attempts_unknown',
    'Attempts with an unknown outcome.',
    async () => (await figures()).count,
  )
  metrics.gauge(
    'florin_attempts_unknown_oldest_seconds',
    'Age of the oldest attempt with an unknown outcome.',
    async () => (await figures()).oldestSeconds,
  )
}

async function measure(db: Database, now: Date): Promise<Figures> {
  let count = 0
  let oldestSeconds = 0
  for (let after = 0, isMore = true; isMore;) {
    const merchants = await findMerchantsWithUnknownAttempts(db, after, merchantsAtOnce)
    for (const merchantId of merchants) {
      const found = await measureUnknown(db, merchantId)
      count += found.count
      if (found.oldest_at === null) continue
      oldestSeconds = Math.max(oldestSeconds, (now.getTime() - Date.parse(found.oldest_at)) / 1000)
    }
    isMore = merchants.length === merchantsAtOnce
    after = merchants.at(-1) ?? after
  }
  return { count, oldestSeconds }
}

/** The network is asked about them until it answers. The oldest first. */
export async function listUnknownAttempts(
  db: Database,
  of: { merchantId: number; mode: Mode; limit: number },
): Promise<UnknownAttempt[]> {
  return listUnknown(db, of)
}
