import { inTransaction, type Database } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import type { Queue } from '../queues.ts'
import type { Outbox } from '../outbox.ts'
import { withoutAddress } from '../receiver-of.ts'
import { listPaused, unpauseReceiver, type PausedReceiver } from './receiver-store.ts'
import { resumeDeliveries } from '../schedule-store.ts'
import { recordAct, type Actor } from '../../audit/audit.ts'
import type { Mode } from '../../merchants/mode.ts'

/** Sends what waited, from the start of the schedule; returns how many deliveries that is. */
export async function resumeReceiver(
  { db, outbox }: { readonly db: Database; readonly outbox: Outbox },
  queue: Queue,
  by: Actor,
  now: Date = new Date(),
): Promise<number> {
  return inTransaction(db, async (tx) => {
    if (!(await unpauseReceiver(tx, queue))) throw new Refusal('not_found', `${queue.origin} is not paused`)
    const count = await resumeDeliveries(tx, queue, now)
    const after = { mode: queue.mode, deliveries: count }
    const subject = withoutAddress(queue.origin)
    await recordAct(tx, queue.merchantId, by, { action: 'receiver.resumed', subject, after })
    outbox.notifyListeners(tx, queue)
    return count
  })
}

export async function listPausedReceivers(
  db: Database,
  of: { merchantId: number; mode: Mode },
): Promise<PausedReceiver[]> {
  return listPaused(db, of)
}
