import type { Database } from '../database/database.ts'
import { Refusal } from '../errors/refusals.ts'
import type { Deliverer } from './deliver/deliver.ts'
import { listOfPayment } from './record-store.ts'
import { restart } from './schedule-store.ts'
import type { Mode } from '../merchants/mode.ts'

/** Sends one notification of a payment again, with the same id, from the start of the schedule. */
export async function resendNotification(
  deps: { readonly db: Database; readonly deliverer: Deliverer; readonly now: () => Date },
  of: { merchantId: number; mode: Mode; number: string; id: string },
): Promise<void> {
  const deliveries = await listOfPayment(deps.db, of)
  const known = deliveries.find(({ id }) => id === of.id)
  if (known?.target === '') throw new Refusal('no_callback_url')
  const queue = known && (await restart(deps.db, of, deps.now()))
  if (!queue) throw new Refusal('not_found', 'Notification not found')
  deps.deliverer.ask(queue)
}
