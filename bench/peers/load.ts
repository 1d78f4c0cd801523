import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { drive, type Driven } from '../measure.ts'
import { processorSeconds } from '../processor-time.ts'
import { crowds, requestsOf, rounds, type Plan } from './plan.ts'

// node bin/run.js bench/peers/load.ts plan.json [pid …]: one call of any server, over one and over 32 connections. The
// processes are the server's and its PostgreSQL's, for their processor time. The programs beside this write the plans.

export const secondsUsually = 6

export type Loaded = Driven & {
  /** Processor time of a call, server and PostgreSQL together. */
  readonly costMs: number
}

/** Sends one round after another, each with calls of its own where a call works only once. */
export function openLoad(
  plan: Plan,
  pids: readonly number[],
  seconds: number,
): (connections: number) => Promise<Loaded> {
  const { port, expectStatus, expectText, counted, once = false } = plan
  const repeat = counted === undefined && !once
  const next = requestsOf(plan, seconds)
  return async (connections) => {
    const requests = next()
    const before = processorSeconds(pids) ?? NaN
    const driven = await drive({
      port,
      connections,
      seconds,
      requests,
      repeat,
      expectStatus,
      expectText,
    })
    const spent = (processorSeconds(pids) ?? NaN) - before
    return { ...driven, costMs: (spent * 1000) / driven.answered }
  }
}

async function main([file = '', ...pids]: readonly string[]): Promise<void> {
  const load = openLoad(JSON.parse(readFileSync(file, 'utf8')) as Plan, pids.map(Number), secondsUsually)
  for (const connections of crowds) {
    for (let round = 0; round <= rounds; round += 1) {
      const { perSecond, p50Ms, p99Ms, costMs } = await load(connections)
      if (round === 0) continue
      process.stdout.write(
        `${connections} connections: ${perSecond.toFixed(1)}/s, p50 ${p50Ms.toFixed(1)} ms, ` +
          `p99 ${p99Ms.toFixed(1)} ms, ${costMs.toFixed(2)} ms of processor time a call\n`,
      )
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2))
