import { merchantsInOrder } from '../../platform/database/spread/merchants-in-order.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { MerchantRow } from './store.ts'

const atOnce = 1_000

// Queries about all merchants: for operators, and at startup.

export async function hasLiveMerchant(db: Queryable): Promise<boolean> {
  return (await db.look(sql`select from merchants where live_enabled limit 1`)).length > 0
}

export async function isAnyLive(db: Queryable, merchantIds: readonly number[]): Promise<boolean> {
  const rows = await db.look(sql`
    select from merchants where id = any(${merchantIds}::integer[]) and live_enabled limit 1`)
  return rows.length > 0
}

/** The oldest first; on a cluster without those of a node that is away. */
export async function listMerchants(db: Queryable): Promise<MerchantRow[]> {
  const rows = await db.look<MerchantRow>(sql`
    select id, name, email, live_enabled, suspended_at, fee_basis_points, forms_take_secret_keys, refund_fees, created_at
    from merchants order by created_at, id limit ${atOnce}`)
  return rows.toSorted(byAge).slice(0, atOnce)
}

function byAge(one: MerchantRow, other: MerchantRow): number {
  if (one.created_at === other.created_at) return one.id - other.id
  return one.created_at < other.created_at ? -1 : 1
}

/** In the order of their numbers. */
export async function listMerchantNumbers(db: Queryable, after: number, limit: number): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select id as merchant_id from merchants where id > ${after} order by id limit ${limit}`)
  return merchantsInOrder(rows, limit)
}

/** A sealed value starts with a version byte and the id of its key. */
export async function findMerchantsWithFormSecretsNotUnder(
  db: Queryable,
  after: number,
  keyId: string,
): Promise<number[]> {
  const rows = await db.look<{ merchant_id: number }>(sql`
    select distinct merchant_id from keys
    where encode(substring(form_secret from 2 for 8), 'hex') <> ${keyId} and merchant_id > ${after}
    order by merchant_id limit ${atOnce}`)
  return merchantsInOrder(rows, atOnce)
}
