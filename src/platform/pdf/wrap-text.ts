import type { Line } from './shape-text.ts'

// Breaks text into lines. Shaping is what costs: a try for every word made a receipt of 100 long items take 0.5 to 2.9 s of processor
// time. So the text is shaped once as a whole, and again only where a line is full to within a letter.

type Span = { readonly start: number; readonly end: number }

/** In the size of the letters: how far letters shaped alone may be from the same letters inside the whole text. */
const doubt = 1

/** Lines no wider than `width` (at size 1); a word that is wider by itself is cut. */
export function wrapText(text: string, width: number, shape: (part: string) => Line): string[] {
  const reach = reachOf(text, shape(text))
  const fits = ({ start, end }: Span): boolean => {
    const about = (reach[end] ?? 0) - (reach[start] ?? 0)
    if (about <= width - doubt) return true
    if (about > width + doubt) return false
    return shape(text.slice(start, end)).width <= width
  }
  const lines: Span[] = []
  let line: Span | undefined
  for (const word of wordsOf(text)) {
    const longer: Span = line ? { start: line.start, end: word.end } : word
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line) lines.push(line)
    line = word
    while (!fits(line)) {
      const cut = cutOf(text, line, fits)
      if (cut === line.end) break
      lines.push({ start: line.start, end: cut })
      line = { start: cut, end: line.end }
    }
  }
  if (line) lines.push(line)
  return lines.map(({ start, end }) => text.slice(start, end))
}

/** How wide the text is up to each place in it. */
function reachOf(text: string, line: Line): Float64Array {
  const reach = new Float64Array(text.length + 1)
  for (const { face, glyphs } of line.runs) {
    for (const { at, advance } of glyphs) reach[at + 1] = (reach[at + 1] ?? 0) + advance / face.upem
  }
  for (let at = 1; at < reach.length; at += 1) reach[at] = (reach[at] ?? 0) + (reach[at - 1] ?? 0)
  return reach
}

function wordsOf(text: string): Span[] {
  return [...text.matchAll(/[^ ]+/g)].map((word) => ({
    start: word.index,
    end: word.index + word[0].length,
  }))
}

/** Where as many letters fit as can, one at least. */
function cutOf(text: string, { start, end }: Span, fits: (part: Span) => boolean): number {
  const cuts: number[] = []
  let at = start
  for (const letter of text.slice(start, end)) cuts.push((at += letter.length))
  let [low, high] = [0, cuts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits({ start, end: cuts[middle] ?? end })) low = middle
    else high = middle - 1
  }
  return cuts[low] ?? end
}
