import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { mailOrigin } from '../queues.ts'

// Live mail waiting for a mail server: its state is `paused`, as for a receiver that doesn't answer.

/**
 * Makes some of one merchant's waiting mail due now; mail that is too old stays in the mailbox. Returns how many are
 * due.
 */
export async function resumeMail(
  db: Database,
  merchantId: number,
  { now, tooOldBefore, limit }: { now: Date; tooOldBefore: Date; limit: number },
): Promise<number> {
  const moved = await db.query<{ state: string }>(sql`
    with waiting as materialized (
      select id from deliveries
      where merchant_id = ${merchantId} and mode = 'live' and origin = ${mailOrigin} and state = 'paused'
      limit ${limit}
      for update skip locked
    )
    update deliveries
    set state = case when created_at < ${tooOldBefore.toISOString()}::timestamptz then 'kept' else 'waiting' end,
        finished_at = case when created_at < ${tooOldBefore.toISOString()}::timestamptz
                           then ${now.toISOString()}::timestamptz end,
        next_try_at = case when created_at < ${tooOldBefore.toISOString()}::timestamptz then null
                           else ${now.toISOString()}::timestamptz end
    from waiting
    where deliveries.merchant_id = ${merchantId} and deliveries.id = waiting.id
    returning deliveries.state`)
  return moved.filter(({ state }) => state === 'waiting').length
}

export async function countWaitingMail(db: Database, merchantId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from deliveries
    where merchant_id = ${merchantId} and mode = 'live' and origin = ${mailOrigin} and state = 'paused'`)
  return row?.count ?? 0
}
