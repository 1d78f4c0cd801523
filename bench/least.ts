import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { asConnections, createBody, creates, ratioOf } from './create.ts'
import { fill } from './fill.ts'
import type { LeastPlan } from './least-server.ts'
import { lookUpRequests } from './look-up.ts'
import {
  drive,
  interleave,
  startBareServer,
  summarise,
  takeSample,
  type Measured,
  type Pace,
} from './measure.ts'
import type { Report } from './report.ts'
import { driverInserts, hasPgbench, pgbenchInserts } from './row-by-row.ts'
import { merchantAt, processes, type Site } from './site.ts'

// How near a server in Node can come to pgbench and to bare node:http at all: one that does nothing but a statement.

const payments = 10_000

export async function benchLeast(site: Site, pace: Pace, connections: readonly number[]): Promise<Report[]> {
  await fill(site, payments)
  await using opened = new AsyncDisposableStack()
  const samples = await takeSamples(site)
  const bare = await startBareServer(samples.found)
  opened.defer(() => bare.stop())
  const port = await startLeast(opened, site, samples)
  const { seconds } = pace
  const rowByRow = (await hasPgbench()) ? pgbenchInserts : driverInserts
  const lookUps = {
    requests: lookUpRequests(site, 'bulk', payments, 20_000),
    repeat: true,
    expectStatus: 200,
  }
  const lookUp = async (at: number, count: number): Promise<Measured> =>
    drive({ ...lookUps, port: at, connections: count, seconds })
  const results = await interleave<string, Measured>(
    pace,
    Object.fromEntries(
      connections.flatMap((count) => [
        [`row by row, ${count}`, async () => rowByRow(site, seconds, count)],
        [`least create, ${count}`, async () => creates({ ...site, port }, count, seconds)],
        [`florin create, ${count}`, async () => creates(site, count, seconds)],
        [`bare node:http, ${count}`, async () => lookUp(bare.port, count)],
        [`least look-up, ${count}`, async () => lookUp(port, count)],
        [`florin look-up, ${count}`, async () => lookUp(site.port, count)],
      ]),
    ),
  )
  const of = (name: string, count: number): Measured[] => results[`${name}, ${count}`] ?? []
  const rate = (name: string, count: number): number =>
    summarise(of(name, count).map(({ perSecond }) => perSecond)).median
  return connections.flatMap((count) =>
    [
      { limit: 'row by row', work: 'create' },
      { limit: 'bare node:http', work: 'look-up' },
    ].flatMap(({ limit, work }) =>
      ['least', 'florin'].map((who) => ({
        work: `${work}, ${asConnections(count)}, ${who === 'least' ? 'the least server' : 'Florin'}`,
        beside: `${limit}: ${Math.round(rate(limit, count))}/s`,
        goal: '–',
        ...ratioOf(of(`${who} ${work}`, count), rate(limit, count)),
      })),
    ),
  )
}

type Samples = Pick<LeastPlan, 'created' | 'found'>

async function takeSamples(site: Site): Promise<Samples> {
  const url = `http://127.0.0.1:${site.port}/api`
  const authorization = `Bearer ${merchantAt(site, 1).secretKey}`
  const json = { authorization, 'content-type': 'application/json' }
  const create = { method: 'POST', body: createBody('sample') }
  return {
    created: await takeSample(`${url}/payment`, json, create),
    found: await takeSample(`${url}/transaction/bulk-1`, { authorization }),
  }
}

/** In as many processes as Florin gets. */
async function startLeast(opened: AsyncDisposableStack, site: Site, samples: Samples): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const port = await freePort()
  const file = join(folder, 'plan.json')
  const plan: LeastPlan = {
    port,
    databaseUrl: site.databaseUrl,
    merchantIds: site.merchants.map(({ id }) => id),
    ...samples,
  }
  writeFileSync(file, JSON.stringify(plan))
  const program = fileURLToPath(new URL('least-server.ts', import.meta.url))
  for (let count = 0; count < processes; count += 1) {
    const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    opened.defer(() => void child.kill())
    await once(child.stdout, 'data')
  }
  return port
}
