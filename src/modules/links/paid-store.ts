import { endedRules } from '../../core/payments/list-totals/ended-store.ts'
import type { PaidPeriod } from '../../dashboard/slots.ts'
import type { Database } from '../../platform/database/database.ts'
import { join, planEachTime, sql } from '../../platform/database/sql.ts'

export type LinkedRow = { readonly tx_ref: string; readonly amount_minor: bigint }

/** 5,000 take about 20 ms. */
const readMax = 5_000

/** The newest paid payments that began at a payment link. */
export async function listLinked(db: Database, period: PaidPeriod): Promise<LinkedRow[]> {
  const statement = sql`
    select tx_ref, amount_minor from payments
    where payments.merchant_id = ${period.merchantId} and payments.type = 'Link'
      and payments.mode = ${period.mode} and payments.currency = ${period.currency}
      and ${join(endedRules(period.merchantId, { ...period, group: 'paid' }), ' and ')}
    order by coalesce(payments.paid_at, payments.updated_at) desc limit ${readMax}`
  return db.query<LinkedRow>(planEachTime(statement))
}
