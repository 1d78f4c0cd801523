import { readFileSync } from 'node:fs'
import { drive } from '../measure.ts'
import { processorSeconds } from '../processor-time.ts'

// node bin/run.js bench/peers/load.ts plan.json [pid …]: one call of any server, over one and over 32 connections. The
// processes are the server's, for its processor time. README.md beside this has the plans.

type Call = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Plan = {
  readonly port: number
  readonly expectStatus: number
  readonly seconds?: number
  /** Sent in turn, again and again: as many different ones as there are carts, orders or payments. */
  readonly calls: readonly Call[]
  /** In bodies and paths this stands for a number that no other call has. */
  readonly counted?: string
}

const rounds = 3
const secondsUsually = 6
const crowds = [1, 32]
const callsPerSecondMost = 10_000

let count = 0

function asText({ method, path, headers = {}, body }: Call, counted: string | undefined): string {
  count += 1
  const filled = (text: string): string =>
    counted === undefined ? text : text.replaceAll(counted, `${process.pid}-${count}`)
  const content = body === undefined ? '' : filled(JSON.stringify(body))
  const all = {
    Host: '127.0.0.1',
    Accept: 'application/json',
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(content)),
    }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${filled(path)} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${content}`
}

function requestsOf({ calls, counted, seconds = secondsUsually }: Plan): string[] {
  const length = counted === undefined ? calls.length : Math.ceil(seconds * callsPerSecondMost)
  return Array.from({ length }, (_, at) => asText(calls[at % calls.length] as Call, counted))
}

const [file = '', ...pids] = process.argv.slice(2)
const plan = JSON.parse(readFileSync(file, 'utf8')) as Plan
const { port, expectStatus, seconds = secondsUsually, counted } = plan
for (const connections of crowds) {
  for (let round = 0; round <= rounds; round += 1) {
    const requests = requestsOf(plan)
    const before = processorSeconds(pids.map(Number)) ?? NaN
    const repeat = counted === undefined
    const driven = await drive({ port, connections, seconds, requests, repeat, expectStatus })
    const spent = (processorSeconds(pids.map(Number)) ?? NaN) - before
    if (round === 0) continue
    process.stdout.write(
      `${connections} connections: ${driven.perSecond.toFixed(1)}/s, p50 ${driven.p50Ms.toFixed(1)} ms, ` +
        `p99 ${driven.p99Ms.toFixed(1)} ms, ${((spent * 1000) / driven.answered).toFixed(2)} ms of processor time a call\n`,
    )
  }
}
