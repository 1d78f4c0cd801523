import type { Database } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { MethodKey } from '../keeping.ts'

export type MethodToForget = {
  readonly merchant_id: number
  readonly id: string
  readonly connector: string
  readonly account_id: string | null
  readonly kind: 'card' | 'debit'
  readonly ended_at: string
  readonly forget_tries: number
}

/**
 * Ended methods whose network is to be told, on a lease. One with an undecided charge waits: its network is asked about
 * that charge by the method's token.
 */
export async function claimMethodsToForget(
  db: Database,
  merchantId: number,
  claim: { now: Date; leaseMs: number; max: number },
): Promise<MethodToForget[]> {
  const statement = sql`
    with due as materialized (
      select id from saved_methods
      where saved_methods.merchant_id = ${merchantId} and forget_at <= ${claim.now}
        and not exists (
          select from saved_method_charges as open
          where open.merchant_id = ${merchantId} and open.method_id = saved_methods.id and open.outcome is null)
      order by forget_at limit ${claim.max} for update skip locked
    )
    update saved_methods set forget_at = ${new Date(claim.now.getTime() + claim.leaseMs)},
      forget_tries = saved_methods.forget_tries + 1
    from due where saved_methods.merchant_id = ${merchantId} and saved_methods.id = due.id
    returning saved_methods.merchant_id, saved_methods.id, connector, account_id, kind, ended_at,
      saved_methods.forget_tries`
  return db.query<MethodToForget>(planEachTime(statement))
}

export async function setForgotten(db: Database, { merchantId, id }: MethodKey): Promise<void> {
  await db.query(sql`
    update saved_methods set token = null, forgotten_at = statement_timestamp(), forget_at = null
    where merchant_id = ${merchantId} and id = ${id}`)
}

/** Null: it is not asked any more. */
export async function scheduleForget(
  db: Database,
  { merchantId, id }: MethodKey,
  at: Date | null,
): Promise<void> {
  await db.query(sql`
    update saved_methods set forget_at = ${at}
    where merchant_id = ${merchantId} and id = ${id} and forgotten_at is null`)
}
