import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../test/support/free-port.ts'
import type { LoadPlan, LoadResult } from './load.ts'
import { processes } from './site.ts'

// What every measure shares: repeat, take the median, say the spread.

/** How long to measure, and whom to tell what is being measured. */
export type Pace = {
  readonly rounds: number
  /** 0: every connection sends one request, which is enough to see that a measure runs. */
  readonly seconds: number
  readonly say: (doing: string) => void
}

export type Measured = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }

export type Driven = Measured & { readonly answered: number }

const run = promisify(execFile)

/** Sends the load from another process and returns its rate and latencies. */
export async function drive(plan: LoadPlan): Promise<Driven> {
  const result = await runProgram<LoadResult>('drive.ts', plan)
  if (result.unexpected > 0) {
    throw new Error(
      `${result.unexpected} of ${result.answered} answers were not ${plan.expectStatus}: ${result.firstUnexpected}`,
    )
  }
  const sorted = result.latenciesMs.toSorted((a, b) => a - b)
  return {
    answered: result.answered,
    perSecond: result.answered / result.seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}

/** Runs a program of this folder in a process of its own: a plan goes in as a file, one JSON line comes out. */
export async function runProgram<Result>(program: string, plan: object): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
  try {
    const file = join(folder, 'plan.json')
    writeFileSync(file, JSON.stringify(plan))
    const path = fileURLToPath(new URL(program, import.meta.url))
    const { stdout } = await run(process.execPath, [path, file], { maxBuffer: 1 << 30 })
    return JSON.parse(stdout) as Result
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export type Summary = { readonly median: number; readonly low: number; readonly high: number }

export function summarise(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 }
}

/**
 * Runs the measures in turn, `rounds` times, so that a machine that slows down slows all of them. A first round is not
 * counted: it runs code that is not compiled yet.
 */
export async function interleave<Name extends string, Result extends Measured>(
  { rounds, say }: Pace,
  measures: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(measures) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      say(`${name}, ${runOf(round, rounds)}`)
      const measured = await measures[name]()
      if (round > 0) results[name].push(measured)
    }
  }
  return results
}

export function runOf(round: number, rounds: number): string {
  return round === 0 ? 'warm-up' : `run ${round} of ${rounds}`
}

export type BareServer = { readonly port: number; stop(): void }

/** Headers and body of an answer, to be given again. */
export type Sample = { readonly headers: Record<string, string>; readonly body: string }

export async function takeSample(
  url: string,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Sample> {
  const answer = await fetch(url, { ...init, headers: { 'accept-encoding': 'identity', ...headers } })
  // These node:http writes by itself.
  const own = new Set(['connection', 'date', 'keep-alive'])
  return {
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name))),
    body: await answer.text(),
  }
}

/** node:http in as many processes as Florin gets, answering every request with the same bytes. */
export async function startBareServer(sample: Sample): Promise<BareServer> {
  const port = await freePort()
  const children = await Promise.all(Array.from({ length: processes }, () => startBare(port, sample)))
  return {
    port,
    stop() {
      for (const child of children) child.kill()
    },
  }
}

async function startBare(port: number, { headers, body }: Sample): Promise<ChildProcess> {
  const program = `
    const body = Buffer.from(${JSON.stringify(body)})
    const headers = ${JSON.stringify(headers)}
    const server = require('node:http').createServer((request, response) => {
      response.writeHead(200, headers)
      response.end(body)
    })
    server.listen({ port: ${port}, host: '127.0.0.1', reusePort: true }, () => process.stdout.write('ready'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}
