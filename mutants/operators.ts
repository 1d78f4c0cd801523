import { stripTypeScriptTypes } from 'node:module'
import { readSource } from '../test/support/source-text.ts'
import { sqlMutantsOf } from './sql-operators.ts'

// Small bugs, of the kind that a tired person writes: a comparison off by one, a guard that is gone, a condition of a
// statement that was forgotten. They are planted in text, found by the house's own reader of source text: a syntax tree
// would know more, and TypeScript 7 has no library for one that is ready to use.

export type Mutant = {
  readonly path: string
  /** What stands between these two places of the file is replaced. */
  readonly from: number
  readonly to: number
  readonly replacement: string
}

type Found = Omit<Mutant, 'path'>
type Operator = (code: string) => Found[]

const swap = (pattern: RegExp, replacement: string): Operator => {
  return (code) =>
    [...code.matchAll(pattern)].map((match) => ({
      from: match.index,
      to: match.index + match[0].length,
      replacement,
    }))
}

const operators: readonly Operator[] = [
  swap(/ === /g, ' !== '),
  swap(/ !== /g, ' === '),
  swap(/ < /g, ' <= '),
  swap(/ <= /g, ' < '),
  swap(/ > /g, ' >= '),
  swap(/ >= /g, ' > '),
  swap(/ && /g, ' || '),
  swap(/ \|\| /g, ' && '),
  swap(/\btrue\b/g, 'false'),
  swap(/\bfalse\b/g, 'true'),
  swap(/(?<=[( ])!(?=[\w(])/g, ''),
  swap(/(?<=[\w)]) \+ (?=[\w(])/g, ' - '),
  swap(/(?<=[\w)]) - (?=[\w(])/g, ' + '),
  swap(/\.some\(/g, '.every('),
  swap(/\.every\(/g, '.some('),
  swap(/\bMath\.min\(/g, 'Math.max('),
  swap(/\bMath\.max\(/g, 'Math.min('),
  guards,
  calls,
  numbers,
  limits,
]

export function mutantsOf(path: string, text: string): Mutant[] {
  const { code } = readSource(text)
  // Node puts blanks where types stand: what is planted there would never run.
  const { code: atRunTime } = readSource(stripTypeScriptTypes(text))
  const found = operators
    .flatMap((operator) => operator(code))
    .filter(({ from, to }) => atRunTime.slice(from, to) === code.slice(from, to))
  return [...found, ...sqlMutantsOf(text)]
    .toSorted((a, b) => a.from - b.from)
    .map((mutant) => ({ path, ...mutant }))
}

/** `if (…)` that never happens. */
function guards(code: string): Found[] {
  return [...code.matchAll(/\bif \(/g)].map((match) => {
    const from = match.index + match[0].length
    return { from, to: endOfBrackets(code, from), replacement: 'false' }
  })
}

function endOfBrackets(code: string, from: number): number {
  let depth = 1
  let at = from
  for (; at < code.length; at += 1) {
    if (code[at] === '(') depth += 1
    if (code[at] === ')') depth -= 1
    if (depth === 0) break
  }
  return at
}

/** A call on a line of its own that is forgotten. Lines of the log are for people. */
function calls(code: string): Found[] {
  return [...code.matchAll(/^ +((?:await |void )?[\w.#]+\(.*\))$/gm)]
    .filter((match) => !/^(super|return|throw|test|it)\b|\blog\.\w+\(/.test(match[1] ?? ''))
    .map((match) => {
      const from = match.index + match[0].indexOf(match[1] ?? '')
      return { from, to: from + (match[1]?.length ?? 0), replacement: 'void 0' }
    })
}

/** How much is done at once or kept in memory is no promise: one more does no harm. */
const isRoughly =
  /^(atOnce|perPage|windowRows|pageLength|reasonsOf|recordsAfterStop|amountWidth|maxFormatters)$|(AtOnce|InFlight|InAll|PerLook)$|^(batch|batchSize|batches|buckets|claim|clocks|drawn|judged|known|looked|merchants|oldest|places|remembered|rounds|rows|searched|shown)(Max|PerLook)$/

/** A limit that is one too high. Of some milliseconds nobody could see one more. */
function numbers(code: string): Found[] {
  return [...code.matchAll(/^((?:export )?const | {2})(\w+)( = |: )(\d[\d_]*)(?=n?,?$)/gm)].flatMap(
    (match) => {
      const [whole, , name = '', , digits = ''] = match
      const number = Number(digits.replaceAll('_', ''))
      if ((name.endsWith('Ms') && number >= 10) || isRoughly.test(name)) return []
      const to = match.index + whole.length
      return [{ from: to - digits.length, to, replacement: String(number + 1) }]
    },
  )
}

/** A time limit that is a tenth of what it should be. How often something is looked at is no promise. */
function limits(code: string): Found[] {
  return [...code.matchAll(/^(?:export )?const (\w+Ms) = (?=\d)/gm)].flatMap((match) => {
    if (/^(every|poll|pause|interval|\w+(Every|Poll|Pause|Interval))/i.test(match[1] ?? '')) return []
    const at = match.index + match[0].length
    return [{ from: at, to: at, replacement: '0.1 * ' }]
  })
}

export function lineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

/** The line before and after, as a person would read the change. */
export function changeOf(text: string, { from, to, replacement }: Found): string {
  const before = text.slice(text.lastIndexOf('\n', from - 1) + 1, from).trimStart()
  const end = text.indexOf('\n', to)
  const after = text.slice(to, end === -1 ? undefined : end)
  const cut = (part: string): string => part.replaceAll(/\s+/g, ' ')
  return `${cut(before)}[-${cut(text.slice(from, to))}-]{+${replacement}+}${cut(after)}`.slice(0, 160)
}
