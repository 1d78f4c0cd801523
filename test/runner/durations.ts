import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

// How long each file took the last time. The longest go first: one that starts last is waited for by everybody.

/** Before a file was ever timed: by what it starts, in milliseconds on two quiet cores. */
const guesses: readonly (readonly [RegExp, number])[] = [
  [/test-faults|playPayoutStory|runBench|benchAgainst|inspect-pages/, 30_000],
  [/chromium|in-browser/, 12_000],
  [/spawn|run-florin|server-process/, 8_000],
  [/house/, 2_000],
  [/./s, 500],
]

export function readDurations(store: string): Map<string, number> {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(store, 'utf8')) as Record<string, number>))
  } catch {
    return new Map()
  }
}

export function writeDurations(store: string, durations: ReadonlyMap<string, number>): void {
  try {
    mkdirSync(dirname(store), { recursive: true })
    writeFileSync(store, JSON.stringify(Object.fromEntries(durations)))
  } catch {
    // A checkout that can't be written to runs its tests in a worse order, and that is all.
  }
}

export function longestFirst(files: readonly string[], durations: ReadonlyMap<string, number>): string[] {
  const known = new Map(files.map((file) => [file, durations.get(file) ?? guess(file)]))
  return files.toSorted((one, other) => (known.get(other) ?? 0) - (known.get(one) ?? 0))
}

function guess(file: string): number {
  const text = readFileSync(file, 'utf8')
  return guesses.find(([pattern]) => pattern.test(text))?.[1] ?? 0
}
