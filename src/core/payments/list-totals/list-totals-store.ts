import type { Queryable } from '../../../platform/database/database.ts'
import { planEachTime, sql } from '../../../platform/database/sql.ts'
import type { FeesOfFound } from '../slots/fees.ts'
import { takenMinor } from '../disputed/taken-store.ts'
import type { PaymentState } from '../state-machine.ts'
import { furtherRules, type ListFilter } from '../store.ts'

export type ListTotalRow = {
  readonly currency: string
  readonly state: PaymentState
  readonly payments: number
  readonly amount_minor: bigint
  readonly charge_minor: bigint
  readonly refunded_minor: bigint
  readonly disputed_minor: bigint
  readonly network_fees_minor: bigint
  /** Paid, and not booked by their network. */
  readonly not_reported: number
  readonly not_reported_minor: bigint
}

/** For the payments of the list with the same filter, at most `max` of them. */
export async function sumPayments(
  db: Queryable,
  filter: Omit<ListFilter, 'after' | 'limit'>,
  feesOfFound: FeesOfFound | undefined,
  max: number,
): Promise<ListTotalRow[]> {
  const statement = sql`
    select currency, state, count(*)::integer as payments, sum(amount_minor)::bigint as amount_minor,
           sum(charge_minor)::bigint as charge_minor, sum(refunded_minor)::bigint as refunded_minor,
           sum(disputed_minor)::bigint as disputed_minor,
           coalesce(sum((${feesOfFound?.(filter.merchantId) ?? sql`0`})), 0)::bigint as network_fees_minor,
           (count(*) filter (where is_missing))::integer as not_reported,
           coalesce(sum(amount_minor) filter (where is_missing), 0)::bigint as not_reported_minor
    from (
      select number, currency, state, amount_minor, charge_minor, refunded_minor, ${takenMinor} as disputed_minor,
             not booked and state in ('success', 'refunded', 'reversed') as is_missing
      from payments
      where merchant_id = ${filter.merchantId} and mode = ${filter.mode} ${furtherRules(filter)}
      limit ${max}
    ) as found
    group by currency, state order by currency, state`
  return db.query<ListTotalRow>(planEachTime(statement))
}
