import type { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { rebuildTotals } from '../src/core/payments/daily-totals/rebuild-totals.ts'
import { recounts } from '../src/app/modules.ts'
import { withoutIndexes } from './without-indexes.ts'

// A shop as its team sees it after years: payments that were paid, that failed and that wait, cards, many surnames of
// which some are common, and the figures of its days.

const rowsPerStatement = 200_000
// What is older than 90 days would be removed by the servers while it is looked at.
const span = '85 days'
const tables = ['payments', 'attempts', 'payment_history', 'deliveries', 'refunds']

export async function fillShop(db: Database, merchantId: number, size: number): Promise<void> {
  await withoutIndexes(db, tables, size, async () => {
    for (let from = 1; from <= size; from += rowsPerStatement)
      await insert(db, merchantId, { from, to: Math.min(size, from + rowsPerStatement - 1), size })
  })
  await rebuildTotals(db, merchantId, recounts)
  const filled = [
    sql`vacuum (analyze) payments`,
    sql`vacuum (analyze) attempts`,
    sql`vacuum (analyze) deliveries`,
    sql`vacuum (analyze) refunds`,
  ]
  for (const table of filled) await db.query(table)
  await db.query(sql`checkpoint`)
}

type Part = { readonly from: number; readonly to: number; readonly size: number }

/** One in ten waits, one in ten failed. Half of all customers have one of ten surnames. */
async function insert(db: Database, merchantId: number, { from, to, size }: Part): Promise<void> {
  await db.query(sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, state, currency, amount_minor, charge_minor,
      email, first_name, last_name, callback_url, created_at, updated_at, expires_at, paid_at)
    select ${merchantId}::integer, lpad(n::text, 24, '0'), 'test', 'shop-' || n,
      'FL' || lpad(translate(n::text, '01', 'AB'), 12, 'Z'), 'API',
      (array['pending', 'failed', 'success', 'success', 'success', 'success', 'success', 'success', 'success', 'success'])[1 + n % 10],
      'GBP', 500 + n % 20000, 40, 'customer' || n % 50000 || '@example.com', 'Ada',
      case when n % 2 = 0
        then (array['Smith', 'Lastname', 'Jones', 'Taylor', 'Brown', 'Lasting', 'Evans', 'Wilson', 'Thomas', 'Roberts'])[1 + n / 20 % 10]
        else 'Surname' || n % 100000 end,
      'https://shop.example.com/ipn', at.at, at.at, at.at + interval '24 hours', case when n % 10 > 1 then at.at end
    from generate_series(${from}::integer, ${to}::integer) as n
    cross join lateral (select now() - (${size}::integer - n) * (${span}::interval / ${size}::integer) as at) as at`)
  await db.query(sql`
    insert into attempts (merchant_id, number, attempt, state, connector, idempotency_key, card_brand, card_last4, started_at,
      updated_at)
    select ${merchantId}::integer, lpad(n::text, 24, '0'), 1, 'succeeded', 'Test network', 'shop-' || n || '-1', 'Visa',
      case when n % 3 = 0 then '4242' else lpad((n % 10000)::text, 4, '0') end, at.at, at.at
    from generate_series(${from}::integer, ${to}::integer) as n
    cross join lateral (select now() - (${size}::integer - n) * (${span}::interval / ${size}::integer) as at) as at
    where n % 10 > 1`)
  await db.query(sql`
    insert into payment_history (merchant_id, number, at, event, from_state, to_state, attempt)
    select ${merchantId}::integer, lpad(n::text, 24, '0'), at.at, case when n % 10 > 1 then 'paid' else 'attempts_used_up' end,
      'pending', case when n % 10 > 1 then 'success' else 'failed' end, null
    from generate_series(${from}::integer, ${to}::integer) as n
    cross join lateral (select now() - (${size}::integer - n) * (${span}::interval / ${size}::integer) as at) as at
    where n % 10 > 0`)
  await insertWhatFollowed(db, merchantId, { from, to, size })
}

/** Every third notification and mail is still kept; one payment in fifty was given back in part. */
async function insertWhatFollowed(db: Database, merchantId: number, { from, to, size }: Part): Promise<void> {
  await db.query(sql`
    insert into deliveries (merchant_id, id, kind, mode, event, number, target, origin, body, state, tries, created_at,
      finished_at)
    select ${merchantId}::integer, 'evt_' || kind || '_' || n, kind, 'test', 'payment.success', lpad(n::text, 24, '0'),
      case kind when 'ipn' then 'https://shop.example.com/ipn' else 'customer' || n % 50000 || '@example.com' end,
      case kind when 'ipn' then 'https://shop.example.com' else 'mail' end, '{}',
      case when kind = 'mail' then 'kept' when n % 1000 = 3 then 'failed' else 'delivered' end, 1, at.at, at.at
    from generate_series(${from}::integer, ${to}::integer) as n
    cross join unnest(array['ipn', 'mail']) as kind
    cross join lateral (select now() - (${size}::integer - n) * (${span}::interval / ${size}::integer) as at) as at
    where n % 3 = 0 and n % 10 > 1`)
  await db.query(sql`
    insert into refunds (merchant_id, id, number, place, mode, refund_ref, tx_ref, reference, currency, state, amount_minor,
      asked_all, returns_fee, created_at, updated_at)
    select ${merchantId}::integer, 'rfd_' || lpad(n::text, 16, '0'), lpad(n::text, 24, '0'), 1, 'test', 'back-' || n,
      'shop-' || n, 'FL' || lpad(translate(n::text, '01', 'AB'), 12, 'Z'), 'GBP', 'succeeded', 100, false, false, at.at, at.at
    from generate_series(${from}::integer, ${to}::integer) as n
    cross join lateral (select now() - (${size}::integer - n) * (${span}::interval / ${size}::integer) as at) as at
    where n % 50 = 7`)
}
