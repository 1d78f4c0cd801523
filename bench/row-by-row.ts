import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { quantile, type Measured } from './measure.ts'
import { merchantAt, type Site } from './site.ts'

// The limit that creates are measured against: the same row, inserted one per transaction. By pgbench where it is
// installed, else by as many plain connections of the same driver that Florin uses.

const run = promisify(execFile)

/** The row that one create writes, with random values where a create has them. */
export function insert(merchantId: string, number: string, reference: string): string {
  return `insert into payments (merchant_id, number, mode, tx_ref, reference, type, currency, amount_minor, charge_minor,
    email, first_name, last_name, callback_url, return_url, title, description, meta)
    values (${merchantId}, ${number}, 'test', ${reference}, 'FLRN7E6AFM3XJF', 'API', 'GBP', 123450, 1748,
    'ada@example.com', 'Ada', 'Lovelace', 'https://shop.example.com/ipn', 'https://shop.example.com/thanks',
    'Order 1001', 'Two chairs', '{"cart":7}')`
}

export async function hasPgbench(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  )
}

export async function pgbenchInserts(
  { databaseUrl, merchants }: Site,
  seconds: number,
  clients: number,
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-pgbench-'))
  try {
    const script = join(folder, 'insert.sql')
    const random = `lpad((:a)::text, 12, '0') || lpad((:b)::text, 12, '0')`
    const merchantId = `(array[${merchants.map(({ id }) => id).join(', ')}])[(:m)::integer]`
    writeFileSync(
      script,
      `\\set a random(0, 999999999999)\n\\set b random(0, 999999999999)\n\\set m random(1, ${merchants.length})\n${insert(merchantId, random, `'bench-' || :a || '-' || :b`).replace(/\n/g, ' ')};\n`,
    )
    // Its connections take a while: 256 of them have hardly begun after two seconds of a busy machine.
    const atLeast = Math.max(1 + Math.ceil(clients / 64), Math.round(seconds))
    const howLong = seconds === 0 ? ['-t', '1'] : ['-T', String(atLeast)]
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', ...howLong, '-f', script]
    const { stdout } = await run('pgbench', [...args, databaseUrl])
    const tps = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
    const latency = Number(/latency average = ([\d.]+) ms/.exec(stdout)?.[1])
    return { perSecond: tps, p50Ms: latency, p99Ms: latency }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export async function driverInserts(site: Site, seconds: number, clients: number): Promise<Measured> {
  const text = insert('$1', '$2', '$3')
  const latencies: number[] = []
  const begin = performance.now()
  const deadline = begin + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(site.databaseUrl)
      await client.connect()
      do {
        const number = String(Math.floor(Math.random() * 1e12))
          .padStart(12, '0')
          .repeat(2)
        const sent = performance.now()
        await client.query({
          name: 'row',
          text,
          values: [merchantAt(site, latencies.length).id, number, `bench-${number}-${sent}`],
        })
        latencies.push(performance.now() - sent)
      } while (performance.now() < deadline)
      await client.end()
    }),
  )
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    perSecond: latencies.length / ((performance.now() - begin) / 1000),
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}
