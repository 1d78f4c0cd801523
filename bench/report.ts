// One line of the table: what was measured, beside what, and how it came out. Ratios count; absolute figures are of
// the machine that ran it.
export type Report = {
  readonly work: string
  readonly beside: string
  readonly goal: string
  readonly result: string
  readonly spread: string
  readonly detail: string
}

// Wide enough for the usual rows: they come one by one, before the others are known.
const widths = [44, 18, 12]

/** A row as soon as it is measured. */
export function rowLine(cells: readonly string[]): string {
  return `${cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd()}\n`
}

export function printReports(reports: readonly Report[]): void {
  const header: Report = {
    work: 'work',
    beside: 'beside',
    goal: 'goal',
    result: 'result',
    spread: 'spread',
    detail: 'on this machine',
  }
  const names = ['work', 'result', 'spread', 'goal', 'detail', 'beside'] as const
  const all = [header, ...reports]
  const longest = names.map((name) => Math.max(...all.map((report) => report[name].length)))
  for (const report of all) {
    const line = names.map((name, index) => report[name].padEnd(longest[index] ?? 0)).join('  ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}
