import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../src/database/sql.ts'
import type { CustomersPlan, CustomersResult } from './customers.ts'
import { quantile, runProgram, summarise } from './measure.ts'
import { driverInserts, hasPgbench, pgbenchInserts } from './row-by-row.ts'
import type { Report } from './report.ts'
import type { Site } from './site.ts'

// Create, page, pay with a test card, notification received, mail stored: the whole way, counted at its end.

export async function benchWholePayment(site: Site, rounds: number, seconds: number): Promise<Report[]> {
  const pgbench = await hasPgbench()
  const rowByRow = pgbench ? pgbenchInserts : driverInserts
  const rows: number[] = []
  const rates: number[] = []
  const p99s: number[] = []
  const memory: number[] = [residentMb(site)]
  let paid = 0
  for (let round = 0; round <= rounds; round += 1) {
    rows.push((await rowByRow(site.databaseUrl, site.merchantId, seconds, 64)).perSecond)
    const plan: CustomersPlan = { port: site.port, secretKey: site.secretKey, customers: 64, seconds }
    const result = await runProgram<CustomersResult>('customers.ts', plan)
    if (result.heard !== result.paid) throw new Error(`${result.paid} paid, but ${result.heard} heard of`)
    paid += result.paid
    if (round === 0) continue
    rates.push(result.paid / result.seconds)
    p99s.push(
      quantile(
        result.latenciesMs.toSorted((a, b) => a - b),
        0.99,
      ),
    )
    memory.push(residentMb(site))
  }
  const lost = await findLost(site, paid)
  const rate = summarise(rates)
  const limit = summarise(rows).median
  return [
    {
      work: 'whole payment',
      beside: `${pgbench ? 'pgbench' : 'plain driver'}, one row a payment: ${Math.round(limit)}/s`,
      goal: '≥ 1,000/s, nothing lost',
      result: `${Math.round(rate.median)}/s, ${lost} lost`,
      spread: `${Math.round(rate.low)}–${Math.round(rate.high)}`,
      detail: `64 customers, ${(rate.median / limit).toFixed(2)} × the rows, p99 ${summarise(p99s).median.toFixed(0)} ms`,
    },
    {
      work: 'memory of a server process',
      beside: '–',
      goal: '≤ 300 MB, flat',
      result: `${Math.max(...memory)} MB`,
      spread: memory.join(', '),
      detail: 'resident, the larger one, before and after each round',
    },
  ]
}

/** After the last mail had time to be kept. */
async function findLost(site: Site, paid: number): Promise<number> {
  const deadline = Date.now() + 30_000
  let lost = await countLost(site, paid)
  while (lost > 0 && Date.now() < deadline) {
    await pause(200)
    lost = await countLost(site, paid)
  }
  return lost
}

async function countLost(site: Site, paid: number): Promise<number> {
  const [row] = await site.db.query<{ paid: bigint; charged: bigint; mailed: bigint }>(sql`
    select (select count(*) from payments where tx_ref like 'whole-%' and state = 'success') as paid,
           (select count(*) from test_network.charges) as charged,
           (select count(*) from deliveries where kind = 'mail' and state = 'kept') as mailed`)
  return Math.max(
    ...[row?.paid, row?.charged, row?.mailed].map((count) => Math.max(0, paid - Number(count ?? 0n))),
  )
}

function residentMb(site: Site): number {
  const each = site.servers.map(({ child }) => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  })
  return Math.round(Math.max(...each))
}
