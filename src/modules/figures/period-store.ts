import type { Database } from '../../platform/database/database.ts'
import { join, planEachTime, sql, type Sql } from '../../platform/database/sql.ts'
import type { PaidPeriod } from '../../dashboard/slots.ts'
import { endedRules, whyOf } from '../../core/payments/list-totals/ended-store.ts'

// Breakdowns of a period's newest payments. Each reads at most `max` payments, so it costs the same in a shop with
// millions.

export type PeriodScope = PaidPeriod & { readonly max: number }

/** Besides the merchant. */
const newest = (scope: PeriodScope, group: 'paid' | 'unpaid'): Sql => sql`
  and payments.mode = ${scope.mode} and payments.currency = ${scope.currency}
  and ${join(endedRules(scope.merchantId, { ...scope, group }), ' and ')}
  order by coalesce(payments.paid_at, payments.updated_at) desc limit ${scope.max}`

export type ReasonRow = { readonly why: string; readonly payments: number }

/** Why payments were not paid, the most frequent reason first. */
export async function countReasons(db: Database, scope: PeriodScope): Promise<ReasonRow[]> {
  const statement = sql`
    select why, count(*)::integer as payments from (
      select ${whyOf(scope.merchantId)} as why from payments
      where payments.merchant_id = ${scope.merchantId} ${newest(scope, 'unpaid')}
    ) as ended
    group by why order by payments desc, why`
  return db.query<ReasonRow>(planEachTime(statement))
}

export type ProjectRow = {
  readonly project_id: string
  readonly payments: number
  readonly paid_minor: bigint
}

/** The projects with the largest sums. */
export async function sumProjects(db: Database, scope: PeriodScope, limit: number): Promise<ProjectRow[]> {
  const statement = sql`
    select project_id, count(*)::integer as payments, sum(amount_minor)::bigint as paid_minor from (
      select payments.project_id, payments.amount_minor from payments
      where payments.merchant_id = ${scope.merchantId} ${newest(scope, 'paid')}
    ) as paid
    where project_id is not null
    group by project_id order by paid_minor desc, project_id limit ${limit}`
  return db.query<ProjectRow>(planEachTime(statement))
}
