import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import type { NewDelivery, DeliveryState } from '../../src/core/notifications/store.ts'
import { moment } from './notification-rows.ts'
import { insertRows } from './rows.ts'

// Two merchants whose deliveries have the same ids, and tries of the same numbers. A statement that forgets whose they are
// finds or changes those of the other one.

export const deliveryTwins = [1, 2] as const

export type StoredDelivery = Omit<NewDelivery, 'merchant_id' | 'state' | 'claimed'> & {
  readonly state: DeliveryState
  readonly created_at: string
}

/** An IPN that failed, at noon; give what should be different. */
export function storedDelivery(id: string, changes: Partial<StoredDelivery> = {}): StoredDelivery {
  return {
    id,
    kind: 'ipn',
    mode: 'test',
    event: 'payment.success',
    number: null,
    target: 'https://shop.example/ipn',
    origin: 'https://shop.example',
    body: '{}',
    state: 'failed',
    created_at: moment(0),
    ...changes,
  }
}

/** The same for both, the second first: rows do not lie in order. What waits is due at the moment it is from. */
export async function insertTwinDeliveries(
  db: Database,
  deliveries: readonly StoredDelivery[],
): Promise<void> {
  const dueOf = (one: StoredDelivery): string | null => (one.state === 'waiting' ? one.created_at : null)
  for (const merchant_id of deliveryTwins.toReversed()) {
    const rows = deliveries.map((one) => ({ merchant_id, ...one, next_try_at: dueOf(one) }))
    await insertRows(db, 'deliveries', rows)
  }
}

/** What went wrong names the try, unless something else is given. The second merchant has one more than the first. */
export async function insertTwinTries(
  db: Database,
  deliveryIds: readonly string[],
  said: { readonly error?: string | null; readonly answer?: string } = {},
): Promise<void> {
  for (const merchant_id of deliveryTwins) {
    const rows = deliveryIds.flatMap((delivery_id) =>
      Array.from({ length: merchant_id + 1 }, (_, index) => ({
        merchant_id,
        delivery_id,
        attempt: index + 1,
        at: new Date(),
        ms: 1,
        error: said.error === undefined ? tryName(merchant_id, delivery_id, index + 1) : said.error,
        answer: said.answer ?? null,
      })),
    )
    await insertRows(db, 'delivery_attempts', rows)
  }
}

export function tryName(merchantId: number, deliveryId: string, attempt: number): string {
  return `${merchantId} ${deliveryId}/${attempt}`
}

/** Which deliveries ("1 evt_a") and tries ("1 evt_a/2") of both are otherwise, or gone, afterwards. */
export async function changedDeliveries(db: Database, work: () => Promise<unknown>): Promise<string[]> {
  const were = await readBoth(db)
  await work()
  const are = await readBoth(db)
  return [...were].flatMap(([name, row]) => (are.get(name) === row ? [] : [name])).toSorted()
}

async function readBoth(db: Database): Promise<Map<string, string>> {
  const lists = await db.queryAll<{ name: string; row: string }>(
    deliveryTwins.map(
      (merchantId) => sql`
        select merchant_id || ' ' || id as name, to_json(deliveries)::text as row
        from deliveries where merchant_id = ${merchantId}
        union all
        select merchant_id || ' ' || delivery_id || '/' || attempt, to_json(delivery_attempts)::text
        from delivery_attempts where merchant_id = ${merchantId}`,
    ),
  )
  return new Map(lists.flat().map(({ name, row }) => [name, row]))
}

/** The deliveries of both that nobody else could change now. */
export async function lockedDeliveries(db: Database): Promise<string[]> {
  const names = [...(await readBoth(db)).keys()].filter((name) => !name.includes('/'))
  const lists = await db.queryAll<{ name: string }>(
    deliveryTwins.map(
      (merchantId) => sql`
        select merchant_id || ' ' || id as name from deliveries where merchant_id = ${merchantId}
        for no key update skip locked`,
    ),
  )
  const free = new Set(lists.flat().map(({ name }) => name))
  return names.filter((name) => !free.has(name)).toSorted()
}

export async function emptyTwinDeliveries(db: Database): Promise<void> {
  await db.queryAll(
    deliveryTwins.flatMap((merchantId) => [
      sql`delete from delivery_attempts where merchant_id = ${merchantId}`,
      sql`delete from deliveries where merchant_id = ${merchantId}`,
    ]),
  )
}
