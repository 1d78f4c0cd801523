import { drive, interleave, summarise, type Driven, type Measured, type Pace } from './measure.ts'
import { httpRequest } from './http-client.ts'
import type { Report } from './report.ts'
import { driverInserts, hasPgbench, pgbenchInserts } from './row-by-row.ts'
import { merchantAt, type Site, type Target } from './site.ts'

// Creates, with everything on, beside the same row inserted one per transaction into the same table.

/** A row for each number of connections, beside as many clients: a busy shop shares statements and commits, a lone one can't. */
export async function benchCreate(site: Site, pace: Pace, connections: readonly number[]): Promise<Report[]> {
  const pgbench = await hasPgbench()
  const rowByRow = pgbench ? pgbenchInserts : driverInserts
  const results = await interleave<string, Measured>(
    pace,
    Object.fromEntries(
      connections.flatMap((count) => [
        [`${count} clients row by row`, async () => rowByRow(site, pace.seconds, count)],
        [`${count} connections`, async () => creates(site, count, pace.seconds)],
      ]),
    ),
  )
  return connections.map((count) => {
    const rows = summarise((results[`${count} clients row by row`] ?? []).map((each) => each.perSecond))
    return {
      work: `create, ${asConnections(count)}`,
      beside: `${pgbench ? 'pgbench' : 'plain driver'}, ${count === 1 ? '1 client' : `${count} clients`}, row by row: ${Math.round(rows.median)}/s`,
      goal: goals.get(count) ?? '–',
      ...ratioOf(results[`${count} connections`] ?? [], rows.median),
    }
  })
}

const goals = new Map([
  [32, '≥ 1.2 ×'],
  [64, '≥ 1.8 ×'],
  [256, '≥ 2.2 ×'],
])

export function asConnections(count: number): string {
  return count === 1 ? '1 connection' : `${count} connections`
}

let batch = 0

export async function creates(target: Target, connections: number, seconds: number): Promise<Driven> {
  batch += 1
  const requests = createRequests(
    target,
    `order-${batch}`,
    Math.max(connections, Math.ceil(seconds * 25_000)),
  )
  return drive({ port: target.port, connections, seconds, requests, repeat: false, expectStatus: 201 })
}

/** Payments with these references and a number each, from 1 on. */
export function createRequests(target: Target, references: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    httpRequest('POST', '/api/payment', {
      key: merchantAt(target, index + 1).secretKey,
      body: createBody(`${references}-${index + 1}`),
    }),
  )
}

export function createBody(reference: string): string {
  return JSON.stringify({
    tx_ref: reference,
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
