import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoadPlan, LoadResult } from './load.ts'

// What every measure shares: repeat, take the median, say the spread.

export type Measured = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }

const run = promisify(execFile)
const driver = new URL('./drive.ts', import.meta.url).pathname

/** Sends the load from another process and returns its rate and latencies. */
export async function drive(plan: LoadPlan): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-bench-'))
  try {
    const file = join(folder, 'plan.json')
    writeFileSync(file, JSON.stringify(plan))
    const { stdout } = await run(process.execPath, [driver, file], { maxBuffer: 1 << 30 })
    const result = JSON.parse(stdout) as LoadResult
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

/** Runs the measures in turn, `rounds` times, so that a machine that slows down slows all of them. */
export async function interleave<Name extends string>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<Measured>>>,
): Promise<Record<Name, Measured[]>> {
  const names = Object.keys(measures) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Measured[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await measures[name]())
  }
  return results
}

export function httpRequest(method: string, path: string, key: string | undefined, body?: string): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Accept: application/json']
  if (key !== undefined) lines.push(`Authorization: Bearer ${key}`)
  if (body !== undefined)
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

export type BareServer = { readonly port: number; stop(): void }

/** node:http in its own process, answering every request with the same bytes. */
export async function startBareServer(bytes: number, type: string): Promise<BareServer> {
  const program = `
    const body = Buffer.alloc(${bytes}, 'x')
    const server = require('node:http').createServer((request, response) => {
      response.writeHead(200, { 'content-type': ${JSON.stringify(type)}, 'content-length': body.length })
      response.end(body)
    })
    server.listen(0, '127.0.0.1', () => process.stdout.write(server.address().port + '\\n'))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>((resolve) => {
    child.stdout.once('data', (text: Buffer) => resolve(Number(text.toString())))
  })
  return { port, stop: () => void child.kill() }
}
