import type { PaymentMethod } from '../networks/hosted.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { AttemptRow } from './attempts/attempt-store.ts'
import { inOrderOf, paymentColumns, type PaymentRow } from './store.ts'

// What a checkout page shows of a payment and its attempts, for many pages of a merchant in one statement.

export type ViewRow = PaymentRow & {
  readonly at: number
  readonly declined: number
  /** Any attempt's money goes back, or went back. Null without attempts. */
  readonly is_sent_back: boolean | null
  readonly last_attempt: number | null
  readonly last_state: AttemptRow['state'] | null
  readonly last_decline_reason: AttemptRow['decline_reason']
  readonly last_card_brand: string | null
  readonly last_card_last4: string | null
  readonly last_started_at: string | null
  /** The declines on record for the client's address. */
  readonly level: number | null
  readonly level_at: string | null
  readonly attack_until: string | null
  readonly attack_declines: number | null
  readonly last_account_id: string | null
  readonly last_page_url: string | null
  readonly last_connector: string | null
  readonly last_method: PaymentMethod | null
  readonly last_charge_reference: string | null
  readonly last_saved_method_id: string | null
}

/** The answers in the order of the numbers. `addresses`: keyed hashes of the clients, in the same order. */
export async function findViews(
  db: Queryable,
  merchantId: number,
  numbers: readonly string[],
  addresses: readonly (string | null)[] = [],
): Promise<(ViewRow | undefined)[]> {
  const asked =
    numbers.length === 1 ? one(merchantId, numbers[0], addresses[0]) : many(merchantId, numbers, addresses)
  const rows = await db.query<ViewRow>(sql`
    select ${asked.at} as at, ${paymentColumns}, coalesce(last.declined, 0) as declined, is_sent_back, last_attempt,
           last_state, last_decline_reason, last_card_brand, last_card_last4, last_started_at, last_account_id, last_page_url,
           last_connector, last_method, last_charge_reference, last_saved_method_id, declines.level, declines.level_at,
           card_attacks.until as attack_until,
           card_attacks.declines as attack_declines
    from ${asked.payments}
    left join lateral (
      select (count(*) filter (where state = 'declined') over ())::integer as declined,
             bool_or(state in ('surplus', 'returned')) over () as is_sent_back, attempt as last_attempt,
             state as last_state, decline_reason as last_decline_reason, card_brand as last_card_brand,
             card_last4 as last_card_last4, started_at as last_started_at, account_id as last_account_id,
             page_url as last_page_url, connector as last_connector, method as last_method,
             charge_reference as last_charge_reference, saved_method_id as last_saved_method_id
      from attempts
      where attempts.merchant_id = ${merchantId} and attempts.number = payments.number
      -- The one that was paid, which need not be the last: money may come after we gave an attempt up.
      order by state = 'succeeded' desc, attempt desc limit 1
    ) as last on true
    left join lateral (
      select level, level_at from decline_levels
      where decline_levels.merchant_id = ${merchantId} and decline_levels.mode = payments.mode
        and decline_levels.kind = 'address' and decline_levels.name = ${asked.address}
      -- One by the key; the limit keeps the planner from reading all of them into a hash.
      limit 1
    ) as declines on true
    left join card_attacks on card_attacks.merchant_id = ${merchantId} and card_attacks.mode = payments.mode`)
  return inOrderOf(numbers, rows)
}

type Asked = { readonly payments: Sql; readonly at: Sql; readonly address: Sql }

function many(merchantId: number, numbers: readonly string[], addresses: readonly (string | null)[]): Asked {
  const payments = sql`(
      select * from unnest(${numbers}::text[], ${addresses}::text[]) with ordinality as asked (number, address, at)
      limit (select ${numbers.length}::integer)
    ) as asked
    join payments on payments.merchant_id = ${merchantId} and payments.number = asked.number`
  return { payments, at: sql`asked.at::integer`, address: sql`asked.address` }
}

/** Most pages are alone. Without the array PostgreSQL spends 221 µs on one instead of 259 (medians, side by side). */
function one(merchantId: number, number: string | undefined, address: string | null | undefined): Asked {
  const payments = sql`(
      select * from payments where merchant_id = ${merchantId} and number = ${number}
    ) as payments`
  return { payments, at: sql`1`, address: sql`${address ?? null}::text` }
}
