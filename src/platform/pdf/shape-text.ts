import type { GlyphInfo, GlyphPosition } from 'harfbuzzjs'
import type { Face, Fonts, Weight } from './fonts.ts'

// From letters to glyphs in visual order, left to right in every script: levels by Unicode's rules, one font per run,
// and shaping within the whole line, so that Arabic letters join across runs.

export type Glyph = {
  readonly id: number
  /** Its letters; empty for the further glyphs of a letter that needs several. */
  readonly text: string
  /** Where its letters begin in the line. */
  readonly at: number
  /** In the units of the font. */
  readonly advance: number
  readonly dx: number
  readonly dy: number
}

export type Run = { readonly face: Face; readonly glyphs: readonly Glyph[] }

export type Line = {
  readonly runs: readonly Run[]
  /** At size 1. */
  readonly width: number
}

export type Direction = 'ltr' | 'rtl' | 'auto'

type Stretch = { readonly start: number; end: number; readonly level: number; readonly face: Face }

export function shapeLine(fonts: Fonts, text: string, weight: Weight, direction: Direction): Line {
  const { levels } = fonts.bidi.getEmbeddingLevels(text, direction === 'auto' ? undefined : direction)
  const stretches = stretchesOf(text, levels, fonts.faces[weight])
  const runs = inVisualOrder(stretches).map((stretch) => shape(fonts, text, stretch))
  const width = runs.reduce((sum, run) => sum + widthOf(run), 0)
  return { runs, width }
}

export function widthOf({ glyphs, face }: Run): number {
  return glyphs.reduce((sum, glyph) => sum + glyph.advance, 0) / face.upem
}

// They steer, and are not seen.
const steering = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/

/** Letters of one level and one font. What no font has is left out. */
function stretchesOf(text: string, levels: Uint8Array, faces: readonly Face[]): Stretch[] {
  const stretches: Stretch[] = []
  let at = 0
  for (const letter of text) {
    const end = at + letter.length
    const level = levels[at] ?? 0
    const last = stretches.at(-1)
    const face = steering.test(letter) ? undefined : faceOf(letter, faces, last?.face)
    if (face) {
      if (last?.end === at && last.face === face && last.level === level) last.end = end
      else stretches.push({ start: at, end, level, face })
    }
    at = end
  }
  return stretches
}

const followers = /[\u200c\u200d\s]|\p{Mark}/u

/**
 * A mark, a joiner or a space stays with the letter before it; digits and dots exist in both fonts and look the same in
 * the first.
 */
function faceOf(letter: string, faces: readonly Face[], before: Face | undefined): Face | undefined {
  const code = letter.codePointAt(0) ?? 0
  const has = (face: Face): boolean => (face.font.nominalGlyph(code) ?? 0) !== 0
  if (before && followers.test(letter) && has(before)) return before
  return faces.find(has)
}

/** Rule L2: from the highest level down, every run at that level or above is reversed. */
function inVisualOrder(stretches: readonly Stretch[]): Stretch[] {
  const order = [...stretches]
  const highest = Math.max(0, ...order.map(({ level }) => level))
  for (let level = highest; level >= 1; level -= 1) {
    let start = 0
    // No test: nothing follows the last run
    while (start < order.length) {
      let end = start
      // No test: level 0 follows the last run and ends it
      while (end < order.length && (order[end]?.level ?? 0) >= level) end += 1
      order.splice(start, end - start, ...order.slice(start, end).toReversed())
      start = end + 1
    }
  }
  return order
}

/** Letters beside a stretch decide how its first and last ones join; HarfBuzz looks at five on each side. */
const context = 10

function shape(fonts: Fonts, line: string, { start, end, level, face }: Stretch): Run {
  const { harfbuzz, buffer } = fonts
  const base = Math.max(0, start - context)
  buffer.reset()
  buffer.setClusterLevel(harfbuzz.ClusterLevel.MONOTONE_CHARACTERS)
  buffer.addText(line.slice(base, end + context), start - base, end - start)
  buffer.guessSegmentProperties()
  buffer.setDirection(level % 2 === 1 ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR)
  harfbuzz.shape(face.font, buffer)
  const infos = buffer.getGlyphInfos().map((info) => ({ ...info, cluster: info.cluster + base }))
  const positions = buffer.getGlyphPositions()
  const bodies = bodiesOf(infos, positions)
  const nextOf = followersOf([...bodies.keys()])
  const glyphs = infos.map(({ codepoint: id, cluster }, index): Glyph => {
    const text = bodies.get(cluster) === index ? line.slice(cluster, nextOf.get(cluster) ?? end) : ''
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {}
    return { id, text, at: cluster, advance: xAdvance, dx: xOffset, dy: yOffset }
  })
  return { face, glyphs }
}

/** The cluster after each. */
function followersOf(clusters: readonly number[]): Map<number, number> {
  const sorted = clusters.toSorted((a, b) => a - b)
  return new Map(sorted.slice(1).map((next, index) => [sorted[index] ?? 0, next]))
}

/** The main glyph of a letter: its body, which is wide. An Arabic letter is a body and dots. */
function bodiesOf(infos: readonly GlyphInfo[], positions: readonly GlyphPosition[]): Map<number, number> {
  const bodies = new Map<number, number>()
  infos.forEach(({ cluster }, index) => {
    const best = bodies.get(cluster)
    const width = positions[index]?.xAdvance ?? 0
    // No test: either of two equally wide glyphs will do
    if (best === undefined || width > (positions[best]?.xAdvance ?? 0)) bodies.set(cluster, index)
  })
  return bodies
}
