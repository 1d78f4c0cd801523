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

export type Measured = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }

const run = promisify(execFile)

/** Sends the load from another process and returns its rate and latencies. */
export async function drive(plan: LoadPlan): Promise<Measured> {
  const result = await runProgram<LoadResult>('drive.ts', plan)
  if (result.unexpected > 0) {
    throw new Error(
      `${result.unexpected} of ${result.answered} answers were not ${plan.expectStatus}: ${result.firstUnexpected}`,
    )
  }
  const sorted = result.latenciesMs.toSorted((a, b) => a - b)
  return {
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
export async function interleave<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Record<Name, Measured[]>> {
  const names = Object.keys(measures) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      const measured = await measures[name]()
      if (round > 0) results[name].push(measured)
    }
  }
  return results
}

export type BareServer = { readonly port: number; stop(): void }

/** node:http in as many processes as Florin gets, answering every request with the same bytes. */
export async function startBareServer(bytes: number, type: string): Promise<BareServer> {
  const port = await freePort()
  const children = await Promise.all(Array.from({ length: processes }, () => startBare(port, bytes, type)))
  return {
    port,
    stop() {
      for (const child of children) child.kill()
    },
  }
}

async function startBare(port: number, bytes: number, type: string): Promise<ChildProcess> {
  const program = `
    const body = Buffer.alloc(${bytes}, 'x')
    const server = require('node:http').createServer((request, response) => {
      response.writeHead(200, { 'content-type': ${JSON.stringify(type)}, 'content-length': body.length })
      response.end(body)
    })
    server.listen({ port: ${port}, host: '127.0.0.1', reusePort: true }, () => process.stdout.write('ready'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}
