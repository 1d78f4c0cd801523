import type { Database } from '../database/database.ts'
import { listAttempts, listOfPayment, type AttemptRecord, type DeliveryRecord } from './record-store.ts'

export type Notification = DeliveryRecord & { readonly attempts: readonly AttemptRecord[] }

/** What was sent about a payment, or will be, with every try. */
export async function listNotifications(
  db: Database,
  of: { merchantId: number; number: string },
): Promise<Notification[]> {
  const deliveries = await listOfPayment(db, of)
  if (deliveries.length === 0) return []
  const attempts = await listAttempts(db, { ...of, ids: deliveries.map(({ id }) => id) })
  return deliveries.map((delivery) => ({
    ...delivery,
    attempts: attempts
      .filter((attempt) => attempt.delivery_id === delivery.id)
      .map(({ attempt, at, ms, status, error, answer }) => ({ attempt, at, ms, status, error, answer })),
  }))
}
