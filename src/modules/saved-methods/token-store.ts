import type { Database, Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { MethodKey } from './keeping.ts'

// The networks' tokens in saved_methods, sealed.

export type TokenRow = { readonly id: string; readonly token: Buffer }

export async function findToken(db: Queryable, { merchantId, id }: MethodKey): Promise<Buffer | undefined> {
  const rows = await db.query<{ token: Buffer | null }>(sql`
    select token from saved_methods where merchant_id = ${merchantId} and id = ${id}`)
  return rows[0]?.token ?? undefined
}

export async function listTokens(db: Queryable, merchantId: number): Promise<TokenRow[]> {
  return db.query<TokenRow>(sql`
    select id, token from saved_methods where merchant_id = ${merchantId} and token is not null order by id`)
}

/** False when the row is no longer what was read. */
export async function replaceToken(
  db: Database,
  merchantId: number,
  row: TokenRow,
  sealed: Buffer,
): Promise<boolean> {
  const rows = await db.query(sql`
    update saved_methods set token = ${sealed}
    where merchant_id = ${merchantId} and id = ${row.id} and token = ${row.token} returning id`)
  return rows.length === 1
}
