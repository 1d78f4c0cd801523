import type { Database } from '../../../platform/database/database.ts'
import type { Mode } from '../../merchants/mode.ts'
import { listFailing, type FailingReceiver } from './receiver-store.ts'

export type { FailingReceiver }

/** A deployment of the shop is over by then: who fails for longer has to be looked at. */
const patienceMs = 15 * 60_000

/** Receivers that get no notifications: paused, or failing for a quarter of an hour. */
export async function listFailingReceivers(
  db: Database,
  of: { merchantId: number; mode: Mode; now: Date; limit: number },
): Promise<FailingReceiver[]> {
  return listFailing(db, { ...of, since: new Date(of.now.getTime() - patienceMs) })
}
