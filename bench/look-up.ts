import { sql } from '../src/database/sql.ts'
import { ratioOf } from './create.ts'
import { drive, interleave, startBareServer, summarise } from './measure.ts'
import { httpRequest } from './http-client.ts'
import type { Report } from './report.ts'
import type { Site } from './site.ts'

// Look-ups of random payments, beside node:http answering as many bytes without looking.

export async function benchLookUp(
  site: Site,
  rounds: number,
  seconds: number,
  size: number,
): Promise<Report[]> {
  await fill(site, size)
  const requests = Array.from({ length: 20_000 }, () =>
    httpRequest('GET', `/api/transaction/bulk-${1 + Math.floor(Math.random() * size)}`, {
      key: site.secretKey,
    }),
  )
  const sample = await fetch(`${site.server.url}/api/transaction/bulk-1`, {
    headers: { authorization: `Bearer ${site.secretKey}` },
  })
  const bare = await startBareServer((await sample.arrayBuffer()).byteLength, 'application/json')
  const plan = { connections: 64, seconds, requests, repeat: true, expectStatus: 200 }
  try {
    const results = await interleave(rounds, {
      bare: () => drive({ ...plan, port: bare.port }),
      florin: () => drive({ ...plan, port: site.port }),
    })
    const limit = summarise(results.bare.map((each) => each.perSecond)).median
    const beside = `bare node:http, same bytes: ${Math.round(limit)}/s`
    return [
      {
        work: `look-up of ${size.toLocaleString('en')}`,
        beside,
        goal: '≥ 0.5 ×',
        ...ratioOf(results.florin, limit),
      },
    ]
  } finally {
    bare.stop()
  }
}

export async function fill(site: Site, size: number): Promise<void> {
  const [row] = await site.db.query<{ count: bigint }>(
    sql`select count(*) as count from payments where tx_ref like 'bulk-%'`,
  )
  const from = Number(row?.count ?? 0n) + 1
  if (from > size) return
  await site.db.query(sql`
    insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor, email,
      first_name, last_name, callback_url, return_url, title, description, meta, created_at)
    select ${site.merchantId}::integer, lpad((random() * 999999999999)::bigint::text, 12, '0') || lpad(n::text, 12, '0'),
      'test', 'bulk-' || n, 'FLRN7E6AFM3XJF', 'API', 'GBP', 123450, 1748, 'ada' || n % 100000 || '@example.com', 'Ada',
      'Lovelace', 'https://shop.example.com/ipn', 'https://shop.example.com/thanks', 'Order', 'Two chairs', '{"cart":7}',
      now() - (${size}::integer - n) * interval '10 milliseconds'
    from generate_series(${from}::integer, ${size}::integer) as n`)
  await site.db.query(sql`analyze payments`)
}
