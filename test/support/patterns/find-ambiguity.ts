import { parsePattern, type Node } from './parse-pattern.ts'

// Finds regular expressions whose time can grow with the square of a text, or faster: a text can be read in two ways
// that both go on without an end, and the match can fail afterwards, so that every way is tried. The places
// in the expression are the states of an automaton, and pairs of them are followed over the same text.

/** `{1,64}` costs 64 times as much at most, however long the text is. */
const boundedMax = 1_000
/** Characters that expressions tell apart: ASCII and Latin letters, and some of every other kind. */
const sample = [
  ...Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)),
  ...'\u0301\u0660\u0967\u00ad\u1680\u200b\u200e\u2028\u2029\u2066\u3000\ufeff\uff10\u4e2d\u0627\u05d0\u20ac\u201c\u2014\ue000',
  '\ud800',
  '\u{1f642}',
]

type Place = {
  readonly letters: bigint
  /** To which places it leads; the value: which letters this place must have held for it. */
  readonly next: Map<number, bigint>
  /** The expression is done here, whatever comes next. */
  mayEnd: boolean
}

/** How a part of the expression begins and ends, and whether it may be empty; `free`: under no condition. */
type Part = {
  readonly first: ReadonlyMap<number, bigint>
  readonly last: ReadonlySet<number>
  readonly ends: ReadonlySet<number>
  readonly empty: bigint | undefined
  readonly free: boolean
}

/** The reason in words; undefined when the time is linear. */
export function findAmbiguity({ source, flags }: Pick<RegExp, 'source' | 'flags'>): string | undefined {
  const { places, twice } = build(source, flags)
  if (twice) return 'a repetition inside a repetition reads the same text'
  const loops = places.flatMap((_, at) => (isLoop(places, at) ? [at] : []))
  for (const from of loops) {
    if (splitsAndMeets(places, from)) return 'a repetition reads a text in two ways'
    for (const to of loops)
      if (from !== to && takesOver(places, from, to))
        return from === 0
          ? 'a search from every character reads the same text'
          : 'two repetitions in a row read the same text'
  }
  return undefined
}

function build(source: string, flags: string): { places: readonly Place[]; twice: boolean } {
  const plain = flags.replace(/[gyd]/g, '')
  const letters = lettersOf(plain)
  const everything = letters('[^]')
  const places: Place[] = [{ letters: everything, next: new Map(), mayEnd: false }]
  let twice = false

  const isTwice = (from: number, to: number): boolean => places[from]?.next.has(to) === true
  function link(from: Iterable<number>, to: ReadonlyMap<number, bigint>): void {
    for (const one of from)
      for (const [other, before] of to) {
        const next = (places[one] as Place).next
        next.set(other, (next.get(other) ?? 0n) | before)
      }
  }

  function part(node: Node): Part {
    if (node.kind === 'any') return node.parts.map(part).reduce(either)
    if (node.kind === 'all')
      return node.parts.reduce((before: Part, each) => inTurn(before, part(each)), nothing(everything))
    if (node.kind === 'repeat') return repeated(node.part, node.min, node.max)
    if (node.kind === 'one') {
      const at = places.push({ letters: letters(node.source), next: new Map(), mayEnd: false }) - 1
      return { ...noWay, first: new Map([[at, everything]]), last: new Set([at]), ends: new Set([at]) }
    }
    const before = node.before === undefined ? everything : letters(node.before, true)
    return {
      ...noWay,
      first: node.ahead ? part(node.ahead).first : noWay.first,
      empty: node.isStart ? 0n : before,
    }
  }

  function inTurn(one: Part, other: Part): Part {
    link(one.last, other.first)
    return {
      first: new Map([...one.first, ...(one.empty === undefined ? [] : narrowed(other.first, one.empty))]),
      last: new Set([...other.last, ...(other.empty === undefined ? [] : one.last)]),
      ends: new Set([...other.ends, ...(other.free ? one.ends : [])]),
      empty: one.empty === undefined || other.empty === undefined ? undefined : one.empty & other.empty,
      free: one.free && other.free,
    }
  }

  function repeated(body: Node, min: number, max: number): Part {
    const isOpen = max > boundedMax
    const one = part(body)
    if (isOpen) {
      twice ||= [...one.last].some((from) => [...one.first.keys()].some((to) => isTwice(from, to)))
      link(one.last, one.first)
    }
    const all = isOpen || max < 2 ? one : inTurn(one, min < max ? optional(part(body)) : part(body))
    return min === 0 ? optional(all) : all
  }

  const optional = (one: Part): Part => ({ ...one, empty: everything, free: true })
  const whole = part(parsePattern(source, plain))
  for (const at of whole.ends) (places[at] as Place).mayEnd = true
  if (!flags.includes('y')) link([0], new Map([[0, everything], ...whole.first]))
  return { places, twice }
}

const noWay: Part = { first: new Map(), last: new Set(), ends: new Set(), empty: undefined, free: false }

const nothing = (everything: bigint): Part => ({ ...noWay, empty: everything, free: true })

function either(one: Part, other: Part): Part {
  return {
    first: new Map([...one.first, ...other.first]),
    last: new Set([...one.last, ...other.last]),
    ends: new Set([...one.ends, ...other.ends]),
    empty: one.empty === undefined ? other.empty : one.empty | (other.empty ?? 0n),
    free: one.free || other.free,
  }
}

function narrowed(first: ReadonlyMap<number, bigint>, before: bigint): [number, bigint][] {
  return [...first].map(([at, letters]) => [at, letters & before])
}

/** A bit per character of the sample. `isBefore`: for a look-behind, which is about the character before it. */
function lettersOf(flags: string): (source: string, isBefore?: boolean) => bigint {
  const known = new Map<string, bigint>()
  return (source, isBefore = false) => {
    const found = known.get(source)
    if (found !== undefined) return found
    const pattern = new RegExp(isBefore ? `^[^]${source}$` : `^(?:${source})$`, flags.replace('m', ''))
    const bits = sample.reduce(
      (sum, letter, bit) => (pattern.test(letter) ? sum | (1n << BigInt(bit)) : sum),
      0n,
    )
    known.set(source, bits)
    return bits
  }
}

/** Every step of several places over the same character. */
function* steps(places: readonly Place[], at: readonly number[], last: bigint): Iterable<[number[], bigint]> {
  const ways = at.map((one) =>
    [...(places[one] as Place).next].filter(([, before]) => (before & last) !== 0n),
  )
  const walk = function* (index: number, to: number[], letters: bigint): Iterable<[number[], bigint]> {
    if (letters === 0n) return
    if (index === ways.length) yield [to, letters]
    for (const [next] of ways[index] ?? [])
      yield* walk(index + 1, [...to, next], letters & (places[next] as Place).letters)
  }
  yield* walk(0, [], -1n)
}

/** True if these places lead to those with at least one character. `last`: what the last character may have been. */
function leads(
  places: readonly Place[],
  from: readonly number[],
  isThere: (at: readonly number[], letters: bigint) => boolean,
  last = from.reduce((letters, at) => letters & (places[at] as Place).letters, -1n),
): boolean {
  const seen = new Set<string>()
  const open: [readonly number[], bigint][] = last === 0n ? [] : [[from, last]]
  for (let one = open.pop(); one; one = open.pop())
    for (const [to, letters] of steps(places, ...one)) {
      if (isThere(to, letters)) return true
      const name = `${to.join()} ${letters}`
      if (seen.has(name)) continue
      seen.add(name)
      open.push([to, letters])
    }
  return false
}

const isLoop = (places: readonly Place[], at: number): boolean => leads(places, [at], ([to]) => to === at)

/** A repetition that passes a place where the expression is done succeeds, and no other way is tried. */
const unfinished = (places: readonly Place[]): readonly Place[] =>
  places.map((one) => (one.mayEnd ? { ...one, next: new Map<number, bigint>() } : one))

function takesOver(places: readonly Place[], from: number, to: number): boolean {
  return (
    leads(places, [from, from, to], ([a, b, c]) => a === from && b === to && c === to) &&
    leads(unfinished(places), [to], ([at]) => at === to)
  )
}

/** Two different ways over the same text, from a place back to it. */
function splitsAndMeets(all: readonly Place[], at: number): boolean {
  const places = unfinished(all)
  const meet = ([a, b]: readonly number[]): boolean => a === at && b === at
  const seen: [readonly number[], bigint][] = []
  leads(places, [at], (to, letters) => {
    seen.push([to, letters])
    return false
  })
  return [[[at], (places[at] as Place).letters] as const, ...seen].some(([[one = 0], last]) =>
    [...steps(places, [one, one], last)].some(
      ([to, letters]) => to[0] !== to[1] && leads(places, to, meet, letters),
    ),
  )
}
