import type { Queryable } from '../../database/database.ts'
import { planEachTime, sql } from '../../database/sql.ts'
import type { PaymentState } from '../state-machine.ts'
import { furtherRules, type ListFilter } from '../store.ts'

export type ListTotalRow = {
  readonly currency: string
  readonly state: PaymentState
  readonly payments: number
  readonly amount_minor: bigint
  readonly charge_minor: bigint
  readonly refunded_minor: bigint
}

/** For the payments of the list with the same filter, at most `max` of them. */
export async function sumPayments(
  db: Queryable,
  filter: Omit<ListFilter, 'after' | 'limit'>,
  max: number,
): Promise<ListTotalRow[]> {
  const statement = sql`
    select currency, state, count(*)::integer as payments, sum(amount_minor)::bigint as amount_minor,
           sum(charge_minor)::bigint as charge_minor, sum(refunded_minor)::bigint as refunded_minor
    from (
      select currency, state, amount_minor, charge_minor, refunded_minor from payments
      where merchant_id = ${filter.merchantId} and mode = ${filter.mode} ${furtherRules(filter)}
      limit ${max}
    ) as found
    group by currency, state order by currency, state`
  return db.query<ListTotalRow>(planEachTime(statement))
}
