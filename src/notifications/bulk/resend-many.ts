import type { Database } from '../../database/database.ts'
import { Refusal } from '../../errors/refusals.ts'
import { restart } from '../schedule-store.ts'
import { notifyWorkers } from '../deliver/wake-store.ts'
import { countSendable, findDelivery, restartNext, type Place } from './bulk-store.ts'
import type { DeliveryFilter } from './delivery-filter.ts'

// After an outage: everything that failed, sent again with the same ids. Only IPNs: a receiver knows them by their
// webhook-id, a customer would get a second letter.

/** Those that have ended: what waits goes out by itself, and what is paused waits for its receiver. */
export type SendableState = 'failed' | 'delivered'
export const sendableStates: readonly SendableState[] = ['failed', 'delivered']

export type ResendFilter = Omit<DeliveryFilter, 'state' | 'kind'> & { readonly state: SendableState }

const atOnce = 500

export async function countToResend(
  db: Database,
  filter: ResendFilter,
): Promise<{ origin: string; count: number }[]> {
  return countSendable(db, filter)
}

/** From the start of the schedule, now; returns how many. */
export async function resendMany(
  db: Database,
  filter: ResendFilter,
  now: Date = new Date(),
): Promise<number> {
  // What ends meanwhile was not counted when somebody said yes.
  const until = filter.until ?? now.toISOString()
  let after: Place = { created_at: '0001-01-01T00:00:00Z', id: '' }
  for (let count = 0; ;) {
    const restarted = await restartNext(db, { ...filter, until }, after, now, atOnce)
    count += restarted.length
    if (restarted.length > 0) await wakeWorkers(db)
    const last = restarted.at(-1)
    if (last === undefined || restarted.length < atOnce) return count
    after = last
  }
}

/** One notification of any kind, by its id. */
export async function resendById(
  db: Database,
  of: { merchantId: number; id: string },
  now: Date = new Date(),
): Promise<void> {
  const found = await findDelivery(db, of)
  if (!found) throw new Refusal('not_found', `Notification ${of.id} not found`)
  const queue = await restart(db, { ...of, mode: found.mode }, now)
  if (!queue) throw new Refusal('no_callback_url')
  await wakeWorkers(db)
}

/** Workers look by themselves every second; nobody is told when this fails. */
async function wakeWorkers(db: Database): Promise<void> {
  await notifyWorkers(db, '').catch(() => {})
}
