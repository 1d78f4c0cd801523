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
  const widths = names.map((name) => Math.max(...all.map((report) => report[name].length)))
  for (const report of all) {
    const line = names.map((name, index) => report[name].padEnd(widths[index] ?? 0)).join('  ')
    process.stdout.write(`${line.trimEnd()}\n`)
  }
}
