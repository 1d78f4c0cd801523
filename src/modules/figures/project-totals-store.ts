import type { Queryable } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import type { Mode } from '../../core/merchants/mode.ts'
import { takenMinor } from '../../core/payments/disputed/taken-store.ts'

export type TotalsRow = {
  readonly currency: string
  /** In any state. */
  readonly payments: number
  readonly paid: number
  readonly paid_minor: bigint
  readonly refunded_minor: bigint
  readonly disputed_minor: bigint
}

/**
 * For the newest `max` payments of a project, by the index payments_of_project. `payments` counts one more, if there is
 * one.
 */
export async function sumNewestOfProject(
  db: Queryable,
  scope: { readonly merchantId: number; readonly mode: Mode; readonly projectId: string },
  max: number,
): Promise<TotalsRow[]> {
  const statement = sql`
    with newest as materialized (
      select currency, amount_minor, refunded_minor, ${takenMinor} as disputed_minor,
             state in ('success', 'refunded', 'reversed') and row_number() over (order by created_at desc, number desc) <= ${max}
               as is_paid
      from payments
      where merchant_id = ${scope.merchantId} and project_id = ${scope.projectId} and mode = ${scope.mode}
      order by created_at desc, number desc limit ${max}::integer + 1)
    select currency, count(*)::integer as payments, (count(*) filter (where is_paid))::integer as paid,
           coalesce(sum(amount_minor) filter (where is_paid), 0)::bigint as paid_minor,
           coalesce(sum(refunded_minor) filter (where is_paid), 0)::bigint as refunded_minor,
           coalesce(sum(disputed_minor) filter (where is_paid), 0)::bigint as disputed_minor
    from newest group by currency order by currency`
  return db.query<TotalsRow>(planEachTime(statement))
}
