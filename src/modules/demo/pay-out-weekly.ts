import { makeTestNetwork } from '../../core/test-network/network.ts'
import { payOut } from '../../core/test-network/payouts.ts'
import type { Database } from '../../platform/database/database.ts'
import { makeLog } from '../../platform/http/log.ts'
import { makeOutbox } from '../../core/notifications/outbox.ts'
import { lookNow } from '../payouts/ask/look-now.ts'
import { backdateHistory } from '../payouts/backdate-history.ts'
import { stamp } from './payment-rows.ts'
import type { DemoRows } from './rows.ts'

const dayMs = 86_400_000
const arrivedAfterMs = 2 * 60_000

/** Keeps workers from asking the test network first: in its own commit, the whole quarter would be one payout. */
export function writeFeed(rows: DemoRows, now: Date): void {
  rows.add('payout_feeds', {
    account_id: 'acc_test-network',
    connector: 'test-network',
    mode: 'test',
    next_check_at: stamp(new Date(now.getTime() + dayMs)),
  })
}

/** The test network pays out every Monday; then its payouts are copied, as a worker would do it. */
export async function payOutWeekly(db: Database, merchantId: number, since: Date, now: Date): Promise<void> {
  for (const monday of mondaysBetween(since, now))
    await payOut(db, merchantId, { before: monday, now: monday })
  await lookNow(
    {
      db,
      connectors: [makeTestNetwork(db, () => now)],
      accounts: { of: async () => [], byId: async () => undefined },
      // What arrived long ago is no news.
      outbox: { ...makeOutbox(), write: async () => {} },
      log: makeLog('silent', { write: () => {} }),
      now: () => now,
    },
    { merchantId, mode: 'test' },
  )
  await backdateHistory(db, {
    merchantId,
    before: new Date(now.getTime() - arrivedAfterMs),
    afterMs: arrivedAfterMs,
  })
}

/** At four in the morning, when nobody pays. */
function mondaysBetween(since: Date, until: Date): Date[] {
  const weekMs = 7 * dayMs
  // 1970-01-05 was a Monday.
  const first = 4 * dayMs + 4 * 3_600_000
  const mondays: Date[] = []
  let at = first + Math.ceil((since.getTime() - first) / weekMs) * weekMs
  for (; at < until.getTime() - arrivedAfterMs; at += weekMs) mondays.push(new Date(at))
  return mondays
}
