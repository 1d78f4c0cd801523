import { sql, type Sql } from '../../database/sql.ts'

/** As takenByBank in loss.ts: the part of a payment that the bank holds now. */
export const takenMinor: Sql = sql`
  case when payments.state <> 'reversed' then 0 else coalesce(nullif(
    case when payments.dispute ->> 'taken_minor' is not null then (payments.dispute ->> 'taken_minor')::bigint
         when (payments.dispute ->> 'money_taken')::boolean and payments.dispute ->> 'currency' = payments.currency
           then (payments.dispute ->> 'amount_minor')::bigint
         else 0 end, 0), payments.amount_minor) end`
