import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { MerchantRow } from './store.ts'

// What is asked about all merchants: by whoever runs the installation, and by a start.

export async function hasLiveMerchant(db: Queryable): Promise<boolean> {
  return (await db.query(sql`select from merchants where live_enabled limit 1`)).length > 0
}

export async function listMerchants(db: Queryable): Promise<MerchantRow[]> {
  return db.query<MerchantRow>(sql`
    select id, name, email, live_enabled, fee_basis_points, forms_take_secret_keys, refund_fees, created_at
    from merchants order by created_at, id limit 1000`)
}

/** The id of its key stands in front of a sealed value, after the byte of its version. */
export async function findMerchantsWithFormSecretsNotUnder(
  db: Queryable,
  after: number,
  keyId: string,
): Promise<number[]> {
  const rows = await db.query<{ merchant_id: number }>(sql`
    select distinct merchant_id from keys
    where encode(substring(form_secret from 2 for 8), 'hex') <> ${keyId} and merchant_id > ${after}
    order by merchant_id limit 1000`)
  return rows.map(({ merchant_id }) => merchant_id)
}

/** All of them, a thousand at a time, in the order of their numbers. */
export async function listNumbers(db: Queryable, after: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from merchants where id > ${after} order by id limit 1000`)
  return rows.map(({ id }) => id)
}
