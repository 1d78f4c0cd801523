/** The known word that was most likely meant; undefined if none is close. */
export function closest(word: string, known: Iterable<string>): string | undefined {
  const plain = plainOf(word)
  let best: string | undefined
  let least = tooFar(plain)
  for (const one of known) {
    const other = plainOf(one)
    const enough = Math.min(least, tooFar(other))
    const steps = other === plain ? 0 : distance(plain, other, enough)
    if (steps < enough) [best, least] = [one, steps]
  }
  return best
}

/** A word of two letters is near every other, and in a word of four two steps make another word: state, save. */
function tooFar({ length }: string): number {
  return length <= 2 ? 1 : length <= 4 ? 2 : 3
}

/** txRef, tx-ref and TX_REF are one name. */
function plainOf(word: string): string {
  return word
    .slice(0, 50)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
}

/** Letters to add, drop, change, or swap with their neighbour, counted no further than `enough`. */
function distance(from: string, to: string, enough: number): number {
  if (Math.abs(from.length - to.length) >= enough || to === '') return enough
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const changed = (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      const moved = Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, changed)
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next.push(isSwapped && column > 1 ? Math.min(moved, (before[column - 2] ?? enough) + 1) : moved)
    }
    before = last
    last = next
  }
  return last[to.length] ?? enough
}
