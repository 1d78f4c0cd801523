import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { createBody, creates, ratioOf } from './create.ts'
import { fill } from './fill.ts'
import type { LeastPlan } from './least-server.ts'
import { lookUpRequests } from './look-up.ts'
import { drive, interleave, summarise, takeSample, type Pace } from './measure.ts'
import type { Report } from './report.ts'
import { merchantAt, processes, type Site } from './site.ts'

// A lone caller beside the least that a server in Node can do: one statement and an answer. With more callers Florin is
// the faster one, as they share statements.

const payments = 10_000
const connections = 1
const goal = '≥ 0.85 ×'

export async function benchLeast(site: Site, pace: Pace): Promise<Report[]> {
  await fill(site, payments)
  await using opened = new AsyncDisposableStack()
  const port = await startLeast(opened, site, await takeSamples(site))
  const { seconds } = pace
  const requests = lookUpRequests(site, 'bulk', payments, 20_000)
  const lookUps = { requests, repeat: true, expectStatus: 200, connections, seconds }
  const results = await interleave(pace, {
    'least create': async () => creates({ ...site, port }, connections, seconds),
    'florin create': async () => creates(site, connections, seconds),
    'least look-up': async () => drive({ ...lookUps, port }),
    'florin look-up': async () => drive({ ...lookUps, port: site.port }),
  })
  return (['create', 'look-up'] as const).map((work) => {
    const least = summarise(results[`least ${work}`].map(({ perSecond }) => perSecond)).median
    return {
      work: `${work}, 1 connection, beside the least server`,
      beside: `a Node server of one statement: ${Math.round(least)}/s`,
      goal,
      ...ratioOf(results[`florin ${work}`], least),
    }
  })
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
