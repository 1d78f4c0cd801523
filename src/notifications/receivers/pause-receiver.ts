import { inTransaction, type Database } from '../../database/database.ts'
import { Refusal } from '../../errors/refusals.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import { pauseOne } from '../ipn/receiver-store.ts'
import type { Queue } from '../queues.ts'
import { pauseDeliveries } from '../schedule-store.ts'

/**
 * A person wants that nothing more is sent to a receiver: what is due to it waits until it is resumed. A try that is under
 * way ends as it ends.
 */
export async function pauseReceiver(db: Database, queue: Queue, by: Actor, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await pauseOne(tx, queue, now))) throw new Refusal('not_found', `${queue.origin} is already paused`)
    await pauseDeliveries(tx, queue)
    const act = { action: 'receiver.paused', subject: queue.origin, after: { mode: queue.mode } } as const
    await recordAct(tx, queue.merchantId, by, act)
  })
}
