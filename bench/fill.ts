import { sql } from '../src/platform/database/sql.ts'
import type { Site } from './site.ts'
import { withoutIndexes } from './without-indexes.ts'

// Payments by the million, as a table that has grown for years would hold them.

const rowsPerStatement = 1_000_000

export async function fill(site: Site, size: number): Promise<void> {
  const [row] = await site.db.query<{ count: bigint }>(
    sql`select count(*) as count from payments where tx_ref like 'bulk-%'`,
  )
  const missing = size - Number(row?.count ?? 0n)
  if (missing <= 0) return
  await withoutIndexes(site.db, ['payments'], missing, async () => {
    for (let from = size - missing + 1; from <= size; from += rowsPerStatement)
      await insert(site, from, Math.min(size, from + rowsPerStatement - 1), size)
  })
  await site.db.query(sql`vacuum (analyze) payments`)
  await site.db.query(sql`checkpoint`)
}

async function insert(site: Site, from: number, to: number, size: number): Promise<void> {
  // As merchantAt() finds them.
  const ids = site.merchants.map(({ id }) => id)
  await site.db.query(sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor, email,
      first_name, last_name, callback_url, return_url, title, description, meta, created_at)
    select (${ids}::integer[])[1 + n % ${ids.length}::integer], lpad((random() * 999999999999)::bigint::text, 12, '0') || lpad(n::text, 12, '0'),
      'test', 'bulk-' || n, 'FLRN7E6AFM3XJF', 'API', 'GBP', 123450, 1748, 'ada' || n % 100000 || '@example.com', 'Ada',
      'Lovelace', 'https://shop.example.com/ipn', 'https://shop.example.com/thanks', 'Order', 'Two chairs', '{"cart":7}',
      now() - (${size}::integer - n) * interval '10 milliseconds'
    from generate_series(${from}::integer, ${to}::integer) as n`)
}
