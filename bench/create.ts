import { drive, interleave, summarise, type Measured } from './measure.ts'
import { httpRequest } from './http-client.ts'
import type { Report } from './report.ts'
import { driverInserts, hasPgbench, pgbenchInserts } from './row-by-row.ts'
import type { Site } from './site.ts'

// Creates, with everything on, beside the same row inserted one per transaction into the same table.

export async function benchCreate(site: Site, rounds: number, seconds: number): Promise<Report[]> {
  const pgbench = await hasPgbench()
  const rowByRow = pgbench ? pgbenchInserts : driverInserts
  const results = await interleave(rounds, {
    rows: () => rowByRow(site.databaseUrl, site.merchantId, seconds, 64),
    at64: () => creates(site, 64, seconds),
    at256: () => creates(site, 256, seconds),
  })
  const rows = summarise(results.rows.map((each) => each.perSecond))
  const beside = `${pgbench ? 'pgbench' : 'plain driver'}, 64 clients, row by row: ${Math.round(rows.median)}/s`
  return [
    { work: 'create, 64 connections', beside, goal: '≥ 1.0 ×', ...ratioOf(results.at64, rows.median) },
    { work: 'create, 256 connections', beside, goal: '≥ 1.0 ×', ...ratioOf(results.at256, rows.median) },
  ]
}

let batch = 0

export async function creates(site: Site, connections: number, seconds: number): Promise<Measured> {
  batch += 1
  const requests = Array.from({ length: Math.ceil(seconds * 25_000) }, (_, index) =>
    httpRequest('POST', '/api/payment', { key: site.secretKey, body: body(`${batch}-${index}`) }),
  )
  return drive({ port: site.port, connections, seconds, requests, repeat: false, expectStatus: 201 })
}

function body(reference: string): string {
  return JSON.stringify({
    tx_ref: `order-${reference}`,
    amount: '1234.50',
    currency: 'GBP',
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    callback_url: 'https://shop.example.com/ipn',
    return_url: 'https://shop.example.com/thanks',
    customization: { title: 'Order 1001', description: 'Two chairs' },
    meta: { cart: 7 },
  })
}

export function ratioOf(
  measured: readonly Measured[],
  limit: number,
): Pick<Report, 'result' | 'spread' | 'detail'> {
  const rate = summarise(measured.map((each) => each.perSecond))
  const p99 = summarise(measured.map((each) => each.p99Ms))
  const p50 = summarise(measured.map((each) => each.p50Ms))
  return {
    result: `${(rate.median / limit).toFixed(2)} ×`,
    spread: `${(rate.low / limit).toFixed(2)}–${(rate.high / limit).toFixed(2)}`,
    detail: `${Math.round(rate.median)}/s, p50 ${p50.median.toFixed(1)} ms, p99 ${p99.median.toFixed(1)} ms`,
  }
}
