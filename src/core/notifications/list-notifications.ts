import type { Database } from '../../platform/database/database.ts'
import { createdPlace, readPage, type PageEnd } from '../../platform/input/cursor.ts'
import { Query } from '../../platform/input/fields.ts'
import { listAttempts, listOfPayment, pageOfPayment } from './record-store.ts'
import type { AttemptRecord, DeliveryRecord } from './record-store.ts'

type PaymentKey = { readonly merchantId: number; readonly number: string }

export type Notification = DeliveryRecord & { readonly attempts: readonly AttemptRecord[] }

/** What was or will be sent about a payment, with every attempt. */
export async function listNotifications(db: Database, of: PaymentKey): Promise<Notification[]> {
  return withAttempts(db, of.merchantId, await listOfPayment(db, of))
}

const names = /^[\w.-]+$/

export type NotificationPage = PageEnd & { readonly notifications: readonly PublicNotification[] }

/** A page of them, newest first, as a program asks for it. */
export async function readNotifications(
  db: Database,
  of: PaymentKey,
  query: unknown,
): Promise<NotificationPage> {
  const fields = new Query(query)
  const { rows, ...end } = await readPage(fields, { names, positionOf: createdPlace }, async (part) =>
    pageOfPayment(db, of, part),
  )
  return { ...end, notifications: (await withAttempts(db, of.merchantId, rows)).map(presentNotification) }
}

async function withAttempts(
  db: Database,
  merchantId: number,
  deliveries: readonly DeliveryRecord[],
): Promise<Notification[]> {
  if (deliveries.length === 0) return []
  const attempts = await listAttempts(db, { merchantId, ids: deliveries.map(({ id }) => id) })
  return deliveries.map((delivery) => ({
    ...delivery,
    attempts: attempts
      .filter((attempt) => attempt.delivery_id === delivery.id)
      .map(({ attempt, at, ms, status, error, answer }) => ({ attempt, at, ms, status, error, answer })),
  }))
}

export type PublicNotification = ReturnType<typeof presentNotification>

/** With the names that everything has in the API: `status` is how far something is, and never a number of HTTP. */
export function presentNotification<
  Stored extends { readonly state: string; readonly attempts: readonly AttemptRecord[] },
>({ state, attempts, ...delivery }: Stored) {
  return { ...delivery, status: state, attempts: attempts.map(presentAttempt) }
}

function presentAttempt({ attempt, at, ms, status, error, answer }: AttemptRecord) {
  return { attempt, created_at: at, ms, http_status: status, error, answer }
}
