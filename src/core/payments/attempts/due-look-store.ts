import { merchantsInOrder } from '../../../platform/database/spread/merchants-in-order.ts'
import type { Database } from '../../../platform/database/database.ts'
import { lookForMerchants } from '../../../platform/database/spread/look-for-merchants.ts'
import { planEachTime, sql, type Sql } from '../../../platform/database/sql.ts'
import { furthestChecks } from './check-schedule.ts'

// The only statements of payments that cross merchants: they find merchants to visit, and nothing else. What is due is
// then claimed merchant by merchant (due-store.ts). Planned with their values each time: how much is due decides.

/** The condition of an attempt to check: it is due, or scheduled implausibly far ahead. */
export function isToCheck(now: Date, leaseMs: number): Sql {
  const { submitted, challenge, unknown, leftOpen } = furthestChecks(now, leaseMs)
  return sql`attempts.state in ('started', 'action_required', 'submitted', 'unknown', 'surplus', 'left_open')
    and (attempts.next_check_at <= ${now} or attempts.next_check_at > case
      when attempts.state = 'action_required' then ${challenge}::timestamptz
      when attempts.state = 'left_open' then ${leftOpen}::timestamptz
      when attempts.state in ('unknown', 'surplus') or (attempts.state = 'submitted' and attempts.account_id is not null)
        then (${unknown}::timestamptz[])[least(attempts.checks + 1, ${unknown.length}::integer)]
      else ${submitted}::timestamptz end)`
}

/** By attempts_due; planned once, so it names the states of that index. */
export const nextAttemptCheck = sql`
  select min(next_check_at) from attempts
  where state in ('started', 'action_required', 'submitted', 'unknown', 'surplus', 'left_open')`

/** Merchants whose attempts have waited longest come first. */
export async function findMerchantsWithAttemptsToCheck(
  db: Database,
  look: { now: Date; leaseMs: number; max: number },
): Promise<number[]> {
  const statement = sql`
    select merchant_id from attempts where ${isToCheck(look.now, look.leaseMs)}
    group by merchant_id order by min(next_check_at) limit ${look.max}`
  return lookForMerchants(db, statement, look.max)
}

/** Merchants with attempts of unknown outcome, after the given one. */
export async function findMerchantsWithUnknownAttempts(
  db: Database,
  after: number,
  max: number,
): Promise<number[]> {
  const statement = sql`
    select distinct merchant_id from attempts
    where state = 'unknown' and merchant_id > ${after}
    order by merchant_id limit ${max}`
  const rows = await db.look<{ merchant_id: number }>(planEachTime(statement))
  return merchantsInOrder(rows, max)
}

/** Those with an attempt in flight count, too: its end is what they wait for. */
export const nextPaymentOutOfTime = sql`select min(expires_at) from payments where state = 'pending'`

/** After days without a worker more may be out of time than one look should read. */
const oldestMax = 10_000

/** Merchants with the longest expired payments first. */
export async function findMerchantsWithPaymentsOutOfTime(
  db: Database,
  look: { now: Date; max: number },
): Promise<number[]> {
  const statement = sql`
    select merchant_id
    from (
      select merchant_id, expires_at from payments
      where state = 'pending' and expires_at <= ${look.now}
        and not exists (
          select from attempts
          where attempts.merchant_id = payments.merchant_id and attempts.number = payments.number
            and attempts.state in ('started', 'action_required', 'submitted', 'unknown', 'held'))
      order by expires_at limit ${oldestMax}
    ) as oldest
    group by merchant_id order by min(expires_at) limit ${look.max}`
  return lookForMerchants(db, statement, look.max)
}
