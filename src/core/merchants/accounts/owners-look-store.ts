import { merchantsInOrder } from '../../../platform/database/spread/merchants-in-order.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'

/** The merchants that have, or had, an account of their own at a network. */
export async function findMerchantsWithAccounts(db: Queryable): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from connector_accounts order by merchant_id`)
  return merchantsInOrder(rows, rows.length)
}

const atOnce = 1_000

/** A sealed value starts with a version byte and the id of its key. */
export async function findMerchantsWithCredentialsNotUnder(
  db: Queryable,
  after: number,
  keyId: string,
): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from connector_accounts
    where encode(substring(credentials from 2 for 8), 'hex') <> ${keyId} and merchant_id > ${after}
    order by merchant_id limit ${atOnce}`)
  return merchantsInOrder(rows, atOnce)
}
