import { inTransaction, type Database, type Transaction } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { bySystem, recordAct, type Actor, type Facts } from '../../audit/audit.ts'
import { restart } from '../schedule-store.ts'
import { notifyWorkers } from '../deliver/wake-store.ts'
import { countSendable, findDelivery, restartNext, type BulkPosition } from './bulk-store.ts'
import type { DeliveryFilter } from './delivery-filter.ts'

// After an outage: everything that failed, sent again with the same ids. Only IPNs: a receiver knows them by their
// webhook-id, a customer would get a second e-mail.

/** Finished deliveries: waiting ones are sent anyway, and paused ones wait for their receiver. */
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

/** From the start of the schedule, now; returns how many. With `max` it stops after about so many, the oldest. */
export async function resendMany(
  db: Database,
  filter: ResendFilter,
  by: Actor = bySystem,
  now: Date = new Date(),
  max = Infinity,
): Promise<number> {
  // Deliveries that end later weren't counted when the user confirmed.
  const until = filter.until ?? now.toISOString()
  let after: BulkPosition = { created_at: '0001-01-01T00:00:00Z', id: '' }
  for (let count = 0; ;) {
    const isFirst = count === 0
    const restarted = await inTransaction(db, async (tx) => {
      const next = await restartNext(tx, { ...filter, until }, after, now, atOnce)
      if (isFirst && next.length > 0) await recordResend(tx, { ...filter, until }, by)
      return next
    })
    count += restarted.length
    if (restarted.length > 0) await wakeWorkers(db)
    const last = restarted.at(-1)
    if (last === undefined || restarted.length < atOnce || count >= max) return count
    after = last
  }
}

/** One notification of any kind, by its id. */
export async function resendById(
  db: Database,
  of: { merchantId: number; id: string },
  by: Actor = bySystem,
  now: Date = new Date(),
): Promise<void> {
  const found = await findDelivery(db, of)
  if (!found) throw new Refusal('not_found', `Notification ${of.id} not found`)
  await inTransaction(db, async (tx) => {
    if (!(await restart(tx, { ...of, mode: found.mode }, now))) throw new Refusal('no_callback_url')
    const after = { mode: found.mode, event: found.event }
    await recordAct(tx, of.merchantId, by, { action: 'notifications.resent', subject: of.id, after })
  })
  await wakeWorkers(db)
}

/** One audit entry for all of them, in the first commit: the filter is known then, and the work has begun. */
async function recordResend(tx: Transaction, filter: ResendFilter, by: Actor): Promise<void> {
  const { merchantId, mode, state, event, receiver, since, until } = filter
  const origin = receiver?.names[0]
  const given = Object.entries({ mode, state, event, origin, since, until })
  const after: Facts = Object.fromEntries(
    given.filter((fact): fact is [string, string] => fact[1] !== undefined),
  )
  await recordAct(tx, merchantId, by, { action: 'notifications.resent', subject: 'all that fit', after })
}

/** Workers search every second anyway; a failure isn't reported. */
async function wakeWorkers(db: Database): Promise<void> {
  await notifyWorkers(db, '').catch(() => {})
}
