import type { Database } from '../../../platform/database/database.ts'
import { planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import type { PaidFilter } from '../daily-totals/booked-store.ts'
import type { PaymentRow } from '../store.ts'

/** As takenByBank in loss.ts: the part of a payment that the bank holds now. */
export const takenMinor: Sql = sql`
  case when payments.state <> 'reversed' then 0 else coalesce(nullif(
    case when payments.dispute ->> 'taken_minor' is not null then (payments.dispute ->> 'taken_minor')::bigint
         when (payments.dispute ->> 'money_taken')::boolean and payments.dispute ->> 'currency' = payments.currency
           then (payments.dispute ->> 'amount_minor')::bigint
         else 0 end, 0), payments.amount_minor) end`

export type TakenPayment = Pick<PaymentRow, 'number' | 'tx_ref' | 'reference' | 'currency' | 'paid_with'> & {
  /** When the bank took the first of it. */
  readonly at: string
  readonly taken_minor: bigint
}

/** In the order of their numbers. */
export async function listTaken(
  db: Database,
  { merchantId, mode, from, to, currency = '' }: PaidFilter,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<TakenPayment[]> {
  const statement = sql`
    select payments.number, payments.tx_ref, payments.reference, payments.currency,
      payments.paid_with::text as paid_with, reversed.at, (${takenMinor})::bigint as taken_minor
    from payments cross join lateral (
      select max(payment_history.at) as at from payment_history
      where payment_history.merchant_id = ${merchantId} and payment_history.number = payments.number
        and payment_history.attempt is null and payment_history.to_state = 'reversed'
    ) as reversed
    where payments.merchant_id = ${merchantId} and payments.mode = ${mode} and payments.state = 'reversed'
      and (${currency}::text = '' or payments.currency = ${currency})
      and reversed.at >= ${from} and reversed.at < ${to} and payments.number > ${after}
    order by payments.number limit ${limit}`
  return db.query<TakenPayment>(planEachTime(statement))
}
