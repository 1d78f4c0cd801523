import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { bySystem, recordAct } from '../../audit/audit.ts'
import type { Queue } from '../queues.ts'
import { anyFailingSince, pauseReceivers, type HopelessReceiver } from './receiver-store.ts'
import { pauseDeliveries } from '../schedule-store.ts'
import type { Outbox } from '../outbox.ts'
import { withoutAddress } from '../receiver-of.ts'
import { warnMerchant } from '../warn-merchant.ts'

// A receiver that only failed for 120 hours gets no more attempts; its deliveries wait until the merchant resumes it.

export const pauseAfterMs = 120 * 3_600_000

/** The given queues of one merchant. */
export async function pauseFailingReceivers(
  { db, outbox }: { readonly db: Database; readonly outbox: Outbox },
  merchantId: number,
  failed: readonly Queue[],
  now: Date,
): Promise<HopelessReceiver[]> {
  const since = new Date(now.getTime() - pauseAfterMs)
  // No test: saves a transaction: its statement has the same conditions
  if (failed.length === 0 || !(await anyFailingSince(db, merchantId, failed, since))) return []
  return inTransaction(db, async (tx) => {
    const paused = await pauseReceivers(tx, merchantId, failed, since, now)
    for (const receiver of paused) {
      await pauseDeliveries(tx, receiver)
      const { mode, failingSince } = receiver
      const origin = withoutAddress(receiver.origin)
      const act = {
        action: 'receiver.paused',
        subject: origin,
        after: { mode, failing_since: failingSince },
      } as const
      await recordAct(tx, merchantId, bySystem, act)
      await warnMerchant(outbox, tx, receiver, 'receiver.paused', {
        template: 'receiver_paused',
        origin,
        failingSince,
      })
    }
    return paused
  })
}
