// Chance that can be repeated: the same seed makes the same choices. What the kernel and the network make of them in
// time is not repeated.

export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number
  whole(from: number, upTo: number): number
  pick<T>(items: readonly T[]): T
  chance(share: number): boolean
  /** A stream of its own for one part of a run, so that another part's draws do not move it. */
  fork(name: string): Random
}

export function makeRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32: small, and good enough to choose moments and cards.
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  function whole(from: number, upTo: number): number {
    return from + Math.floor(next() * (upTo - from + 1))
  }
  return {
    next,
    whole,
    pick(items) {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new Error('There is nothing to pick from')
      return item
    },
    chance: (share) => next() < share,
    fork: (name) => makeRandom(hash(name, seed)),
  }
}

function hash(name: string, seed: number): number {
  let sum = (seed ^ 0x811c9dc5) >>> 0
  for (const letter of name) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return sum
}
