import { summarise } from '../measure.ts'
import type { Loaded } from './load.ts'

// Florin and one peer, as rows of a Markdown table: medians, and in brackets the lowest and the highest round.

export type Row = readonly [work: string, florin: string, peer: string, ratio: string]

export function header(peer: string): string[] {
  return [`| | Florin | ${peer} | Florin : ${peer} |`, '|---|---|---|---|']
}

/** The rate, and the processor time of a call. Ratios are taken round by round. */
export function compareRounds(work: string, florin: readonly Loaded[], peer: readonly Loaded[]): Row[] {
  const rates = [florin, peer].map((all) => all.map(({ perSecond }) => perSecond))
  const costs = [florin, peer].map((all) => all.map(({ costMs }) => costMs))
  return [
    compareOnce(`${work}: calls a second`, rates[0] ?? [], rates[1] ?? [], 1),
    compareOnce(`${work}: processor time of a call, ms`, costs[0] ?? [], costs[1] ?? [], 2),
  ]
}

export function compareOnce(
  work: string,
  florin: readonly number[],
  peer: readonly number[],
  digits: number,
): Row {
  return [work, spreadOf(florin, digits), spreadOf(peer, digits), ratioOf(florin, peer)]
}

/** The smaller side is 1. */
function ratioOf(florin: readonly number[], peer: readonly number[]): string {
  const ratios = florin.map((value, round) => value / (peer[round] ?? NaN))
  if (summarise(ratios).median >= 1) return spreadOf(ratios, 1, (ratio) => `${ratio} : 1`)
  const turned = ratios.map((ratio) => 1 / ratio)
  return spreadOf(turned, 1, (ratio) => `1 : ${ratio}`)
}

function spreadOf(
  values: readonly number[],
  digits: number,
  write: (median: string) => string = (median) => median,
): string {
  const { median, low, high } = summarise(values)
  const middle = write(shorten(median, digits))
  return low === high ? middle : `${middle} (${shorten(low, digits)}–${shorten(high, digits)})`
}

/** Three figures are enough where they are large. */
function shorten(value: number, digits: number): string {
  if (value >= 100) return String(Math.round(value))
  return value.toFixed(value >= 10 ? Math.min(digits, 1) : digits)
}
