import type { Database, Queryable } from '../../platform/database/database.ts'
import { lookForMerchants } from '../../platform/database/spread/look-for-merchants.ts'
import { merchantsInOrder } from '../../platform/database/spread/merchants-in-order.ts'
import { sql } from '../../platform/database/sql.ts'

// The only statements of saved methods that cross merchants: they find merchants to visit, and nothing else.

export const nextForget = sql`select min(forget_at) from saved_methods where forget_at is not null`

export async function findMerchantsWithMethodsToForget(
  db: Database,
  { now, max }: { now: Date; max: number },
): Promise<number[]> {
  const statement = sql`
    select merchant_id from saved_methods where forget_at <= ${now}
    group by merchant_id order by min(forget_at) limit ${max}`
  return lookForMerchants(db, statement, max)
}

const atOnce = 1_000

/** A sealed value starts with a version byte and the id of its key. */
export async function findMerchantsWithTokensNotUnder(
  db: Queryable,
  after: number,
  keyId: string,
): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from saved_methods
    where encode(substring(token from 2 for 8), 'hex') <> ${keyId} and merchant_id > ${after}
    order by merchant_id limit ${atOnce}`)
  return merchantsInOrder(rows, atOnce)
}
