import type { Database } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { Claim } from '../store.ts'

/** How many mails went to the same address in the last day, again or for the first time, or are about to. */
export async function countMailsBefore(db: Database, mail: Claim, now: Date): Promise<number> {
  // No test of "(finished_at is null or finished_at >": saves counting: such a mail was not sent after its end
  // No test of ">": saves counting: such a mail was not sent after its end
  const rows = await db.query<{ count: number }>(sql`
    select coalesce(sum(
      (select count(*) from delivery_attempts as sent
       where sent.merchant_id = mails.merchant_id and sent.delivery_id = mails.id and sent.error is null
         and sent.at > ${now.toISOString()}::timestamptz - interval '24 hours')
      + case when state = 'waiting' and (created_at, id) < (${mail.created_at}::timestamptz, ${mail.id}) then 1 else 0 end
    ), 0)::integer as count
    from deliveries as mails
    where merchant_id = ${mail.merchant_id} and lower(target) = lower(${mail.target}) and kind = 'mail' and mode = 'live'
      and (finished_at is null or finished_at > ${now.toISOString()}::timestamptz - interval '24 hours')`)
  return rows[0]?.count ?? 0
}
