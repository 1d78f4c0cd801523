import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '../src/platform/database/sql.ts'
import type { CustomersPlan, CustomersResult } from './customers.ts'
import { quantile, runOf, runProgram, summarise, type Driven, type Pace } from './measure.ts'
import { driverInserts, hasPgbench, pgbenchInserts } from './row-by-row.ts'
import type { Report } from './report.ts'
import type { Site, Target } from './site.ts'

// Create, page, pay with a test card, notification received, mail stored: the whole way, counted at its end.

export async function benchWholePayment(
  site: Site,
  pace: Pace,
  crowds: readonly [number, ...number[]],
): Promise<Report[]> {
  const { rounds, seconds, say } = pace
  const pgbench = await hasPgbench()
  const rowByRow = pgbench ? pgbenchInserts : driverInserts
  const rows: number[] = []
  const measured = new Map(
    crowds.map((customers) => [customers, { rates: [] as number[], p99s: [] as number[] }]),
  )
  const memory: number[] = [residentMb(site)]
  let paid = 0
  for (let round = 0; round <= rounds; round += 1) {
    say(`row by row, ${runOf(round, rounds)}`)
    rows.push((await rowByRow(site, seconds, crowds[0])).perSecond)
    for (const [customers, { rates, p99s }] of measured) {
      say(`${customers} customers, ${runOf(round, rounds)}`)
      const result = await payAll(site, customers, seconds)
      paid += result.paid
      if (round === 0) continue
      const sorted = result.latenciesMs.toSorted((a, b) => a - b)
      rates.push(result.paid / result.seconds)
      p99s.push(quantile(sorted, 0.99))
    }
    if (round > 0) memory.push(residentMb(site))
  }
  say('counting what was lost')
  const lost = await findLost(site, paid)
  const limit = summarise(rows).median
  const beside = `${pgbench ? 'pgbench' : 'plain driver'}, one row a payment: ${Math.round(limit)}/s`
  const wholes = [...measured].map(([customers, { rates, p99s }]): Report => {
    const rate = summarise(rates)
    return {
      work: `whole payment, ${customers} customers`,
      beside,
      goal: '≥ 1,000/s, nothing lost',
      result: `${Math.round(rate.median)}/s, ${lost} lost`,
      spread: `${Math.round(rate.low)}–${Math.round(rate.high)}`,
      detail: `${(rate.median / limit).toFixed(2)} × the rows, p99 ${summarise(p99s).median.toFixed(0)} ms`,
    }
  })
  return [
    ...wholes,
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

export async function payAll(target: Target, customers: number, seconds: number): Promise<CustomersResult> {
  const secretKeys = target.merchants.map(({ secretKey }) => secretKey)
  const plan: CustomersPlan = { port: target.port, secretKeys, customers, seconds }
  const result = await runProgram<CustomersResult>('customers.ts', plan)
  if (result.heard !== result.paid) throw new Error(`${result.paid} paid, but ${result.heard} heard of`)
  return result
}

export async function wholePayments(target: Target, customers: number, seconds: number): Promise<Driven> {
  const result = await payAll(target, customers, seconds)
  const sorted = result.latenciesMs.toSorted((a, b) => a - b)
  return {
    answered: result.paid,
    perSecond: result.paid / result.seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}

/** After the last mail had time to be kept. */
async function findLost(site: Site, paid: number): Promise<number> {
  const deadline = Date.now() + 300_000
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
