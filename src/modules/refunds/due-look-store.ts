import type { Database } from '../../platform/database/database.ts'
import { lookForMerchants } from '../../platform/database/spread/look-for-merchants.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { furthestChecks } from '../../core/payments/attempts/check-schedule.ts'

// The only statement of refunds that crosses merchants: it finds merchants to visit, and nothing else.

/**
 * The condition of a refund to check: it is due, or scheduled implausibly far ahead, and no earlier one of its payment
 * waits for the network's first answer. Networks are told the total refunded before, so they are asked one at a time.
 * `merchant`: the owner of the earlier ones. A claim has to pass it as a number, or a cluster locks no rows for it.
 */
export function isToCheck(now: Date, leaseMs: number, merchant: Sql): Sql {
  const { unknown: ahead } = furthestChecks(now, leaseMs)
  return sql`refunds.state in ('requested', 'submitted')
    and (refunds.next_check_at <= ${now}
      or refunds.next_check_at > (${ahead}::timestamptz[])[least(refunds.checks + 1, ${ahead.length}::integer)])
    and (refunds.sent_at is not null or not exists (
      select from refunds as earlier
      where earlier.merchant_id = ${merchant} and earlier.number = refunds.number
        and earlier.place < refunds.place and earlier.state = 'requested'))`
}

/** Those that wait for an earlier one count, too: they may be next any moment. */
export const nextRefundCheck = sql`
  select min(next_check_at) from refunds where state in ('requested', 'submitted')`

/** Merchants whose refunds have waited longest come first. */
export async function findMerchantsWithRefundsToCheck(
  db: Database,
  look: { now: Date; leaseMs: number; max: number },
): Promise<number[]> {
  const statement = sql`
    select merchant_id from refunds where ${isToCheck(look.now, look.leaseMs, sql`refunds.merchant_id`)}
    group by merchant_id order by min(next_check_at) limit ${look.max}`
  return lookForMerchants(db, statement, look.max)
}
