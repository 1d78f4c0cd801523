import type { Queryable } from '../../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import type { MerchantRow } from '../store.ts'

export type MerchantFilter = {
  /** Part of the name, or the number. */
  readonly words?: string | undefined
  readonly state?: 'live' | 'test' | 'suspended' | undefined
  /** The last row of the page before. */
  readonly after?: { readonly createdAt: string; readonly id: number } | undefined
  readonly limit: number
}

/** Newest first. */
export async function findMerchants(db: Queryable, filter: MerchantFilter): Promise<MerchantRow[]> {
  const { words, state, after } = filter
  const rules: Sql[] = [sql`true`]
  if (words !== undefined) rules.push(sql`(strpos(lower(name), lower(${words})) > 0 or id::text = ${words})`)
  if (state === 'suspended') rules.push(sql`suspended_at is not null`)
  if (state === 'live') rules.push(sql`suspended_at is null and live_enabled`)
  if (state === 'test') rules.push(sql`suspended_at is null and not live_enabled`)
  if (after !== undefined) rules.push(sql`(created_at, id) < (${after.createdAt}, ${after.id})`)
  const statement = sql`
    select id, name, email, live_enabled, suspended_at, fee_basis_points, forms_take_secret_keys, refund_fees, created_at
    from merchants where ${join(rules, ' and ')}
    order by created_at desc, id desc limit ${filter.limit}`
  const rows = await db.look<MerchantRow>(planEachTime(statement))
  // Each node of a cluster has its own newest.
  return rows.toSorted(byAge).slice(0, filter.limit)
}

function byAge(one: MerchantRow, other: MerchantRow): number {
  if (one.created_at === other.created_at) return other.id - one.id
  return one.created_at < other.created_at ? 1 : -1
}
