import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { TotalRow } from '../../../core/payments/daily-totals/daily-totals.ts'

/** The amounts refunded on each day, from the refunds and their history. Reads all refunds of the merchant. */
export async function sumRefunds(db: Queryable, merchantId: number): Promise<TotalRow[]> {
  return db.query<TotalRow>(sql`
    select mode, currency, (at at time zone 'UTC')::date::text as day, minute, 0::bigint as paid,
      0::bigint as paid_minor, -sum(fee_returned_minor)::bigint as fee_minor, 0::bigint as unpaid, count(*) as refunds, sum(amount_minor)::bigint as refunded_minor, 0::bigint as reversed,
      0::bigint as reversed_minor
    from (
      select mode, currency, amount_minor, fee_returned_minor, max(at) as at,
        (extract(epoch from (max(at) at time zone 'UTC')::time)::integer / 900 * 15)::smallint as minute
      from refunds join refund_history
        on refund_history.merchant_id = ${merchantId} and refund_history.refund_id = refunds.id
      where refunds.merchant_id = ${merchantId} and state = 'succeeded' and to_state = 'succeeded'
      group by refunds.merchant_id, refunds.id
    ) as went
    group by mode, currency, (at at time zone 'UTC')::date, minute`)
}
