// Chance that can be repeated: the same seed tells the same story. Nothing here may be a secret.

export type Chance = {
  /** From 0 up to 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  pick<T>(choices: readonly T[]): T
  /** True so many times in a hundred. */
  percent(share: number): boolean
  text(alphabet: string, length: number): string
}

/** Mulberry32: small, and good enough to invent a shop. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const pick = <T>(choices: readonly T[]): T => {
    const chosen = choices[between(0, choices.length - 1)]
    if (chosen === undefined) throw new Error('There is nothing to pick from')
    return chosen
  }
  return {
    next,
    between,
    pick,
    percent: (share) => next() * 100 < share,
    text: (alphabet, length) =>
      Array.from({ length }, () => alphabet[between(0, alphabet.length - 1)]).join(''),
  }
}

export function weighted<T>(chance: Chance, choices: readonly T[], weightOf: (choice: T) => number): T {
  let left = chance.next() * choices.reduce((sum, choice) => sum + weightOf(choice), 0)
  for (const choice of choices) {
    left -= weightOf(choice)
    if (left < 0) return choice
  }
  return chance.pick(choices)
}
