import { sql, type Sql } from '../src/database/sql.ts'
import type { Site } from './site.ts'

// Payments by the million, as a table that has grown for years would hold them. Beyond a few of them the indexes are
// dropped and built again: ten million rows into seven indexes would take most of an hour.

const rebuildBeyond = 200_000
const rowsPerStatement = 1_000_000

export async function fill(site: Site, size: number): Promise<void> {
  const [row] = await site.db.query<{ count: bigint }>(
    sql`select count(*) as count from payments where tx_ref like 'bulk-%'`,
  )
  const missing = size - Number(row?.count ?? 0n)
  if (missing <= 0) return
  const indexes = missing > rebuildBeyond ? await takeIndexesOff(site) : []
  for (let from = size - missing + 1; from <= size; from += rowsPerStatement) {
    await insert(site, from, Math.min(size, from + rowsPerStatement - 1), size)
  }
  for (const definition of indexes) await site.db.query(plain(definition))
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

/** Those that no rule hangs on; the rules stay. Returns how to make them again. */
async function takeIndexesOff(site: Site): Promise<string[]> {
  const found = await site.db.query<{ name: string; definition: string }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'payments'::regclass and not indisunique`)
  for (const { name } of found) await site.db.query(plain(`drop index ${name}`))
  return found.map(({ definition }) => definition)
}

function plain(text: string): Sql {
  return { text, values: [], name: undefined }
}
