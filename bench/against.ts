import { fileURLToPath } from 'node:url'
import { openCheckout } from './checkout.ts'
import { createRequests, creates } from './create.ts'
import { httpRequest } from './http-client.ts'
import { lookUpRequests } from './look-up.ts'
import { drive, interleave, quantile, summarise, type Measured, type Pace } from './measure.ts'
import { openPayments } from './page.ts'
import type { Target } from './site.ts'
import { payAll } from './whole-payment.ts'

// This checkout beside another, measured in turn: on a noisy machine the ratio of two runs that follow one another holds
// where neither figure does.

export type Comparison = {
  readonly work: string
  readonly here: string
  readonly other: string
  readonly ratio: string
  readonly spread: string
}

type Measure = (seconds: number) => Promise<Measured>

const lookedUp = 10_000

/** Each makes ready what it needs, and returns what is measured. */
const rows: Readonly<Record<string, (target: Target) => Promise<Measure>>> = {
  create: async (target) => (seconds) => creates(target, 64, seconds),
  page: async (target) => {
    const requests = (await openPayments(target)).map((path) => httpRequest('GET', path))
    return (seconds) => repeat(target, requests, seconds)
  },
  whole: async (target) => (seconds) => wholePayments(target, seconds),
  'look-up': async (target) => {
    const requests = createRequests(target, 'known', lookedUp)
    const plan = { port: target.port, connections: 64, seconds: 600, repeat: false, expectStatus: 201 }
    await drive({ ...plan, requests })
    const lookUps = lookUpRequests(target, 'known', lookedUp, lookedUp)
    return (seconds) => repeat(target, lookUps, seconds)
  },
}

/** The others look into this program or its tables. */
export const comparable = Object.keys(rows)

export async function benchAgainst(
  folder: string,
  names: readonly string[],
  merchants: number,
  pace: Pace,
  onRow: (row: Comparison) => void,
): Promise<void> {
  pace.say('starting both')
  await using here = await openCheckout(fileURLToPath(new URL('../', import.meta.url)), merchants)
  await using other = await openCheckout(folder, merchants)
  for (const [index, name] of names.entries()) {
    const say = (doing: string): void =>
      pace.say(`${index + 1} of ${names.length}  ${name.padEnd(8)}  ${doing}`)
    say('making ready')
    const prepare = rows[name]
    if (!prepare) throw new Error(`${name} can't be compared`)
    const measures = { this: await prepare(here), other: await prepare(other) }
    const results = await interleave(
      { ...pace, say },
      { this: () => measures.this(pace.seconds), other: () => measures.other(pace.seconds) },
    )
    onRow(compare(name, results.this, results.other))
  }
}

function compare(work: string, here: readonly Measured[], other: readonly Measured[]): Comparison {
  const ratios = here.map(({ perSecond }, round) => perSecond / (other[round]?.perSecond ?? NaN))
  const { median, low, high } = summarise(ratios)
  const rate = (measured: readonly Measured[]): string =>
    `${Math.round(summarise(measured.map(({ perSecond }) => perSecond)).median)}/s`
  return {
    work,
    here: rate(here),
    other: rate(other),
    ratio: `${median.toFixed(2)} ×`,
    spread: `${low.toFixed(2)}–${high.toFixed(2)}`,
  }
}

async function repeat(target: Target, requests: readonly string[], seconds: number): Promise<Measured> {
  return drive({ port: target.port, connections: 64, seconds, requests, repeat: true, expectStatus: 200 })
}

async function wholePayments(target: Target, seconds: number): Promise<Measured> {
  const result = await payAll(target, 64, seconds)
  const sorted = result.latenciesMs.toSorted((a, b) => a - b)
  return {
    perSecond: result.paid / result.seconds,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}
