import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { AttemptRow } from './attempts/attempt-store.ts'
import { inOrderOf, paymentColumns, type PaymentRow } from './store.ts'

// What a checkout page shows of a payment and its attempts, for many pages of a merchant in one statement.

export type ViewRow = PaymentRow & {
  readonly at: number
  readonly declined: number
  readonly last_attempt: number | null
  readonly last_state: AttemptRow['state'] | null
  readonly last_decline_reason: AttemptRow['decline_reason']
  readonly last_card_brand: string | null
  readonly last_card_last4: string | null
  readonly last_started_at: string | null
  readonly last_account_id: string | null
  readonly last_page_url: string | null
}

/** The answers in the order of the numbers. */
export async function findViews(
  db: Database,
  merchantId: number,
  numbers: readonly string[],
): Promise<(ViewRow | undefined)[]> {
  const rows = await db.query<ViewRow>(sql`
    select asked.at::integer as at, ${paymentColumns}, coalesce(last.declined, 0) as declined, last_attempt, last_state,
           last_decline_reason, last_card_brand, last_card_last4, last_started_at, last_account_id, last_page_url
    from (
      select * from unnest(${numbers}::text[]) with ordinality as asked (number, at)
      limit (select ${numbers.length}::integer)
    ) as asked
    join payments on payments.merchant_id = ${merchantId} and payments.number = asked.number
    left join lateral (
      select (count(*) filter (where state = 'declined') over ())::integer as declined, attempt as last_attempt,
             state as last_state, decline_reason as last_decline_reason, card_brand as last_card_brand,
             card_last4 as last_card_last4, started_at as last_started_at, account_id as last_account_id,
             page_url as last_page_url
      from attempts
      where attempts.merchant_id = ${merchantId} and attempts.number = asked.number
      -- The one that was paid, which need not be the last: money may come after we gave an attempt up.
      order by state = 'succeeded' desc, attempt desc limit 1
    ) as last on true`)
  return inOrderOf(numbers, rows)
}
