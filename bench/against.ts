import { fileURLToPath } from 'node:url'
import { openCheckout, type Checkout } from './checkout.ts'
import { createRequests, creates } from './create.ts'
import { httpRequest } from './http-client.ts'
import { lookUpRequests } from './look-up.ts'
import { drive, interleave, summarise, type Driven, type Pace } from './measure.ts'
import { openPayments } from './page.ts'
import type { Target } from './site.ts'
import { wholePayments } from './whole-payment.ts'

// This checkout beside another, measured in turn: on a noisy machine the ratio of two runs that follow one another holds
// better than either figure, and the ratio of the processor time that a request costs holds best.

export type Comparison = {
  readonly work: string
  readonly here: string
  readonly other: string
  readonly ratio: string
  readonly spread: string
  /** Processor time a request, servers and PostgreSQL together: of this to the other. */
  readonly cost: string
  readonly costSpread: string
}

type Measure = (seconds: number) => Promise<Driven>
type Costed = Driven & { readonly costMs: number }

/** `lookUps`: how many payments are there to be looked up. */
export type TurnPace = Pace & { readonly lookUps: number }

/** Each makes ready what it needs, and returns what is measured. */
const rows: Readonly<Record<string, (target: Target, lookUps: number) => Promise<Measure>>> = {
  create: async (target) => (seconds) => creates(target, 64, seconds),
  // Creates of one caller at a time: what a small shop feels.
  lone: async (target) => (seconds) => creates(target, 1, seconds),
  page: async (target) => {
    const requests = (await openPayments(target)).map((path) => httpRequest('GET', path))
    return (seconds) => repeat(target, requests, seconds)
  },
  whole: async (target) => (seconds) => wholePayments(target, 64, seconds),
  'look-up': async (target, count) => {
    const requests = createRequests(target, 'known', count)
    const plan = { port: target.port, connections: 64, seconds: 600, repeat: false, expectStatus: 201 }
    await drive({ ...plan, requests })
    const lookUps = lookUpRequests(target, 'known', count, count)
    return (seconds) => repeat(target, lookUps, seconds)
  },
}

/** The others look into this program or its tables. */
export const comparable = Object.keys(rows)

export async function benchAgainst(
  folder: string,
  names: readonly string[],
  merchants: { readonly here: number; readonly other: number },
  pace: TurnPace,
  onRow: (row: Comparison) => void,
): Promise<void> {
  pace.say('starting both')
  await using here = await openCheckout(fileURLToPath(new URL('../', import.meta.url)), merchants.here)
  await using other = await openCheckout(folder, merchants.other)
  for (const [index, name] of names.entries()) {
    const say = (doing: string): void =>
      pace.say(`${index + 1} of ${names.length}  ${name.padEnd(8)}  ${doing}`)
    say('making ready')
    const prepare = rows[name]
    if (!prepare) throw new Error(`${name} can't be compared`)
    const measures = { this: await prepare(here, pace.lookUps), other: await prepare(other, pace.lookUps) }
    const results = await interleave(
      { ...pace, say },
      {
        this: () => costed(here, () => measures.this(pace.seconds)),
        other: () => costed(other, () => measures.other(pace.seconds)),
      },
    )
    onRow(compare(name, results.this, results.other))
  }
}

async function costed(checkout: Checkout, measure: () => Promise<Driven>): Promise<Costed> {
  const before = checkout.processorSeconds() ?? NaN
  const driven = await measure()
  const spent = (checkout.processorSeconds() ?? NaN) - before
  return { ...driven, costMs: (spent * 1000) / driven.answered }
}

function compare(work: string, here: readonly Costed[], other: readonly Costed[]): Comparison {
  const ratiosOf = (read: (measured: Costed) => number): { ratio: string; spread: string } => {
    const ratios = here
      .flatMap((mine, round) => {
        const theirs = other[round]
        return theirs === undefined ? [] : [read(mine) / read(theirs)]
      })
      .filter(Number.isFinite)
    const { median, low, high } = summarise(ratios)
    // Linux counts processor time in hundredths of a second: a short turn may have cost none.
    if (ratios.length === 0) return { ratio: '–', spread: '–' }
    return { ratio: `${median.toFixed(2)} ×`, spread: `${low.toFixed(2)}–${high.toFixed(2)}` }
  }
  const { ratio: cost, spread: costSpread } = ratiosOf(({ costMs }) => costMs)
  const rate = (measured: readonly Costed[]): string =>
    `${Math.round(summarise(measured.map(({ perSecond }) => perSecond)).median)}/s`
  return {
    work,
    here: rate(here),
    other: rate(other),
    ...ratiosOf(({ perSecond }) => perSecond),
    cost,
    costSpread,
  }
}

async function repeat(target: Target, requests: readonly string[], seconds: number): Promise<Driven> {
  return drive({ port: target.port, connections: 64, seconds, requests, repeat: true, expectStatus: 200 })
}
