import type { Database } from '../../src/platform/database/database.ts'
import { sql, type Sql } from '../../src/platform/database/sql.ts'
import { createMerchant } from '../../src/core/merchants/create-merchant.ts'
import type { Mode } from '../../src/core/merchants/mode.ts'
import type { DeliveryKind, DeliveryState } from '../../src/core/notifications/store.ts'
import { createTestDatabase } from './database.ts'
import { insertRows, openWithoutOrder } from './rows.ts'

// Rows of the notifications of two merchants, written as they are asked for; notification-changes.ts tells what becomes of them.
// A statement that forgets whose rows it is about finds or changes those of the neighbour.

export const own = 10_000_001
export const neighbour = 10_000_002

export const origins = { one: 'https://one.example', two: 'https://two.example' } as const

/** Seconds after a noon, as times are read from the database. */
export function moment(seconds: number): string {
  const noonMs = Date.UTC(2026, 10, 15, 12)
  return `${new Date(noonMs + seconds * 1_000).toISOString().slice(0, -1)}000Z`
}

export type StoredDelivery = {
  readonly merchant_id: number
  readonly id: string
  readonly kind: DeliveryKind
  readonly mode: Mode
  readonly event: string
  readonly number: string | null
  readonly target: string
  readonly origin: string
  readonly body: string
  readonly state: DeliveryState
  readonly tries: number
  readonly step: number
  readonly next_try_at: string | null
  readonly created_at: string
  readonly finished_at: string | null
}

export type StoredTry = {
  readonly merchant_id: number
  readonly delivery_id: string
  readonly attempt: number
  readonly at: string
  readonly ms: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

export type StoredReceiver = {
  readonly merchant_id: number
  readonly mode: Mode
  readonly origin: string
  readonly failing_since: string | null
  readonly last_failed_at: string | null
  readonly paused_at: string | null
}

export type StoredSecret = {
  readonly merchant_id: number
  readonly mode: Mode
  readonly id: string
  readonly secret: string | null
  readonly sealed: Buffer | null
  readonly created_at: string
  readonly ends_at: string | null
}

export type StoredRows = {
  readonly deliveries?: readonly StoredDelivery[]
  readonly tries?: readonly StoredTry[]
  readonly receivers?: readonly StoredReceiver[]
  readonly secrets?: readonly StoredSecret[]
}

/** One of the own merchant that waits after its first try; give what should be different. */
export function delivery(changes: Partial<StoredDelivery> & Pick<StoredDelivery, 'id'>): StoredDelivery {
  const { origin = origins.one, state = 'waiting' } = changes
  return {
    merchant_id: own,
    kind: 'ipn',
    mode: 'test',
    event: 'payment.success',
    number: null,
    target: `${origin}/ipn`,
    origin,
    body: '{}',
    state,
    tries: 1,
    step: 0,
    next_try_at: state === 'waiting' ? moment(0) : null,
    created_at: moment(0),
    finished_at: null,
    ...changes,
  }
}

/** The first one, taken with 200. */
export function oneTry(changes: Partial<StoredTry> & Pick<StoredTry, 'delivery_id'>): StoredTry {
  return {
    merchant_id: own,
    attempt: 1,
    at: moment(0),
    ms: 10,
    status: 200,
    error: null,
    answer: null,
    ...changes,
  }
}

/** One that was in no trouble ever. */
export function receiver(changes: Partial<StoredReceiver> = {}): StoredReceiver {
  return {
    merchant_id: own,
    mode: 'test',
    origin: origins.one,
    failing_since: null,
    last_failed_at: null,
    paused_at: null,
    ...changes,
  }
}

/** A current one, in plain text. */
export function secret(changes: Partial<StoredSecret> & Pick<StoredSecret, 'id'>): StoredSecret {
  return {
    merchant_id: own,
    mode: 'test',
    secret: changes.sealed ? null : plainSecret('a'),
    sealed: null,
    created_at: moment(0),
    ends_at: null,
    ...changes,
  }
}

export function plainSecret(letter: string): string {
  return `whsec_${letter.repeat(43)}=`
}

export type NotificationRows = {
  readonly db: Database
  /** These rows are all that both merchants have. */
  replace(rows: StoredRows): Promise<void>
  close(): Promise<void>
}

export async function openNotificationRows(): Promise<NotificationRows> {
  const home = await createTestDatabase()
  const db = openWithoutOrder(home)
  for (const number of [own, neighbour]) await createMerchant(db, { number, name: 'Corner shop' })
  return {
    db,
    async replace({ deliveries = [], tries = [], receivers = [], secrets = [] }) {
      await db.queryAll([own, neighbour].flatMap(emptied))
      await insertRows(db, 'deliveries', deliveries)
      await insertRows(db, 'delivery_attempts', tries)
      await insertRows(db, 'receivers', receivers)
      await insertRows(db, 'webhook_secrets', secrets)
    },
    async close() {
      await db.close()
      await home.drop()
    },
  }
}

function emptied(merchantId: number): Sql[] {
  return [
    sql`delete from delivery_attempts where merchant_id = ${merchantId}`,
    sql`delete from deliveries where merchant_id = ${merchantId}`,
    sql`delete from receivers where merchant_id = ${merchantId}`,
    sql`delete from webhook_secrets where merchant_id = ${merchantId}`,
  ]
}
