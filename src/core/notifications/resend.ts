import { inTransaction, type Database } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/errors/refusals.ts'
import { recordAct, type Actor } from '../audit/audit.ts'
import type { Deliverer } from './deliver/deliver.ts'
import { listOfPayment } from './record-store.ts'
import { restart } from './schedule-store.ts'
import type { Mode } from '../merchants/mode.ts'

/** Sends one notification of a payment again, with the same id, from the start of the schedule. `by`: a person; programs repeat themselves too often for the audit log. */
export async function resendNotification(
  deps: { readonly db: Database; readonly deliverer: Deliverer; readonly now: () => Date },
  of: { merchantId: number; mode: Mode; number: string; id: string },
  by?: Actor,
): Promise<void> {
  const deliveries = await listOfPayment(deps.db, of)
  const known = deliveries.find(({ id }) => id === of.id)
  if (known?.target === '') throw new Refusal('no_callback_url')
  const queue =
    known &&
    (await inTransaction(deps.db, async (tx) => {
      const restarted = await restart(tx, of, deps.now())
      if (restarted && by) {
        const after = { mode: of.mode, event: known.event }
        await recordAct(tx, of.merchantId, by, { action: 'notifications.resent', subject: of.id, after })
      }
      return restarted
    }))
  if (!queue) throw new Refusal('not_found', 'Notification not found')
  deps.deliverer.ask(queue)
}
