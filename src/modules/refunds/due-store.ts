import type { Database } from '../../platform/database/database.ts'
import { planEachTime, sql } from '../../platform/database/sql.ts'
import { isToCheck } from './due-look-store.ts'
import { refundColumns, type RefundKey, type RefundRow } from './store.ts'

// Which refund is sent next, and one merchant's due ones.

/** The next check is put off for `leaseMs`; then another worker may take it. Oldest first. */
export async function claimRefundsToCheck(
  db: Database,
  merchantId: number,
  claim: { now: Date; leaseMs: number; max: number },
): Promise<RefundRow[]> {
  const statement = sql`
    -- Materialized, as a plan may run a subquery again for each row, and each time it would lock as many more.
    with due as materialized (
      select id from refunds
      where refunds.merchant_id = ${merchantId} and ${isToCheck(claim.now, claim.leaseMs, sql`${merchantId}`)}
      order by next_check_at limit ${claim.max}
      for update of refunds skip locked
    )
    update refunds set next_check_at = ${new Date(claim.now.getTime() + claim.leaseMs)}
    from due
    where refunds.merchant_id = ${merchantId} and refunds.id = due.id
    returning ${refundColumns}`
  return db.query<RefundRow>(planEachTime(statement))
}

/**
 * From now on the network may have it. Undefined: it was sent before, or an earlier refund of the payment waits for the
 * network's answer.
 */
export async function beginSending(
  db: Database,
  key: RefundKey,
  at: { now: Date; leaseMs: number },
): Promise<RefundRow | undefined> {
  const rows = await db.query<RefundRow>(sql`
    update refunds
    set sent_at = ${at.now}, next_check_at = ${new Date(at.now.getTime() + at.leaseMs)},
        refunded_before_minor = coalesce((
          select sum(before.amount_minor) from refunds as before
          where before.merchant_id = ${key.merchantId} and before.number = refunds.number
            and before.state in ('submitted', 'succeeded')), 0)
    where merchant_id = ${key.merchantId} and id = ${key.id} and state = 'requested' and sent_at is null
      and not exists (
        select from refunds as earlier
        where earlier.merchant_id = ${key.merchantId} and earlier.number = refunds.number
          and earlier.place < refunds.place and earlier.state = 'requested')
    returning ${refundColumns}`)
  return rows[0]
}

/** Counts an undecided check; null: no further checks. */
export async function scheduleCheck(
  db: Database,
  key: RefundKey,
  next: { checks: number; at: Date | null; refundReference?: string | undefined },
): Promise<void> {
  await db.query(sql`
    update refunds
    set checks = ${next.checks}, next_check_at = ${next.at},
        refund_reference = coalesce(refund_reference, ${next.refundReference ?? null})
    where merchant_id = ${key.merchantId} and id = ${key.id} and state in ('requested', 'submitted')`)
}
