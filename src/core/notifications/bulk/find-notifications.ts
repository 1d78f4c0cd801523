import type { Database } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/errors/refusals.ts'
import { listAttempts, type AttemptRecord } from '../record-store.ts'
import { findDelivery, listFiltered, measureMerchant } from './bulk-store.ts'
import type { MerchantBacklog } from './bulk-store.ts'
import type { DeliveryFilter, FoundDelivery } from './delivery-filter.ts'

/** Newest first. */
export async function findNotifications(
  db: Database,
  filter: DeliveryFilter,
  limit: number,
): Promise<FoundDelivery[]> {
  return listFiltered(db, filter, limit)
}

/** With the names of the API, for programs. */
export function presentFound({ state, status, ...delivery }: FoundDelivery) {
  return { ...delivery, status: state, http_status: status }
}

export type NotificationInFull = Omit<FoundDelivery, 'status' | 'error'> & {
  readonly attempts: readonly AttemptRecord[]
}

/** One notification with every try. */
export async function readNotification(
  db: Database,
  of: { merchantId: number; id: string },
): Promise<NotificationInFull> {
  const found = await findDelivery(db, of)
  if (!found) throw new Refusal('not_found', 'Notification not found')
  const { status: _, error: __, ...delivery } = found
  const attempts = await listAttempts(db, { merchantId: of.merchantId, ids: [of.id] })
  return { ...delivery, attempts: attempts.map(({ delivery_id: ___, ...attempt }) => attempt) }
}

/** One merchant's waiting deliveries, in both modes. */
export async function readBacklog(db: Database, merchantId: number): Promise<MerchantBacklog> {
  return measureMerchant(db, merchantId)
}
