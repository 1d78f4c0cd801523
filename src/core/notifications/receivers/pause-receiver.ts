import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import { pauseOne } from '../ipn/receiver-store.ts'
import type { Queue } from '../queues.ts'
import { withoutAddress } from '../receiver-of.ts'
import { pauseDeliveries } from '../schedule-store.ts'

/** A person stops deliveries to a receiver: they wait until it is resumed. An attempt in flight isn't affected. */
export async function pauseReceiver(db: Database, queue: Queue, by: Actor, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await pauseOne(tx, queue, now))) throw new Refusal('not_found', `${queue.origin} is already paused`)
    await pauseDeliveries(tx, queue)
    const subject = withoutAddress(queue.origin)
    const act = { action: 'receiver.paused', subject, after: { mode: queue.mode } } as const
    await recordAct(tx, queue.merchantId, by, act)
  })
}
