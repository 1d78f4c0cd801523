import { visible } from '../../platform/input/visible.ts'
import { standard } from './standard.ts'

export { visible }

// For people: columns that line up, one accent colour. For programs: neither headers nor colour.

const escape = '\u001b['

/** Off where NO_COLOR or a dumb terminal says so: Node knows. */
function isColoured(): boolean {
  const { stdout } = standard()
  return stdout.isTTY === true && stdout.hasColors?.() === true
}

export function strong(text: string): string {
  return isColoured() ? `${escape}1m${text}${escape}22m` : text
}

export function quiet(text: string): string {
  return isColoured() ? `${escape}2m${text}${escape}22m` : text
}

/** The one colour, for what the eye should go to: an address to open, a state that wants something. */
export function accent(text: string): string {
  return isColoured() ? `${escape}36m${text}${escape}39m` : text
}

export function print(line: string): void {
  standard().stdout.write(`${line}\n`)
}

/** For a person beside the result, not in it. */
export function printLine(line: string): void {
  standard().stderr.write(`${line}\n`)
}

export type TableOptions = {
  /** For columns whose figures are right-aligned. */
  readonly right?: readonly string[]
  /** Said to a person when there is no row. */
  readonly empty?: string
}

/** Columns that line up; the header only for people. */
export function printTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  { right = [], empty = 'None.' }: TableOptions = {},
): void {
  if (rows.length === 0) {
    if (standard().stdout.isTTY) printLine(empty)
    return
  }
  const shown = rows.map((row) => row.map(visible))
  const widths = header.map((name, column) =>
    Math.max(standard().stdout.isTTY ? name.length : 0, ...shown.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    header
      .map((name, column) => {
        const cell = row[column] ?? ''
        const width = widths[column] ?? 0
        return right.includes(name) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  if (standard().stdout.isTTY) print(quiet(line(header)))
  for (const row of shown) print(line(row))
}

/** After a list that --limit cut off. */
export function printMore(rows: readonly unknown[], limit: number): void {
  if (rows.length === limit && standard().stdout.isTTY) printLine(`The newest ${limit}. --limit shows more.`)
}

/** One thing: its facts, a line each, or several below each other. Those that are not known are left out. */
export function printFacts(facts: Readonly<Record<string, string | undefined>>): void {
  const known = Object.entries(facts).filter((fact): fact is [string, string] => fact[1] !== undefined)
  const width = Math.max(0, ...known.map(([name]) => name.length))
  const indent = `\n${' '.repeat(width + 2)}`
  for (const [name, value] of known) print(`${quiet(name.padEnd(width))}  ${value.replaceAll('\n', indent)}`)
}
