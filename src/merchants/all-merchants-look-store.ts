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
