import type { Report } from './play.ts'

const headings = [
  'FAULT',
  'RUNS',
  'HITS',
  'ACKNOWLEDGED',
  'LOST',
  'DOUBLED',
  'STUCK',
  'OTHER',
  'BACK AFTER p50',
  'max',
  'RESULT',
]
const namesMax = 5

/** A line per fault, columns aligned, then what was broken, one sentence each. */
export function printReports(reports: readonly Report[]): void {
  process.stdout.write(`\n${tableOf(reports).join('\n')}\n`)
  for (const report of reports) process.stdout.write(describeBroken(report))
}

export function tableOf(reports: readonly Report[]): string[] {
  const rows = [headings, ...reports.map(rowOf)]
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}

/** One line as soon as a fault is over. */
export function progressLine(
  { name, ok, runs, acknowledged, struckMs, settledMs }: Report,
  nameWidth: number,
): string {
  const each = (struckMs / Math.max(1, runs) / 1_000).toFixed(2)
  const cells = [
    name.padEnd(nameWidth),
    (ok ? 'ok' : 'FAILED').padEnd(6),
    `${runs} runs in ${shown(struckMs)}, ${each} s each`.padEnd(34),
    `settled in ${shown(settledMs)}`.padEnd(18),
    `${acknowledged} acknowledged`,
  ]
  return `${cells.join('  ')}\n`
}

/** The table of docs/reliability.md, row by row. */
export function markdownHead(): string {
  const columns = headings
    .slice(0, -1)
    .map((heading) => heading.replace(/^[A-Z ]+/, (word) => word.toLowerCase()))
  return `| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n`
}

export function markdownRow(report: Report): string {
  return `| ${rowOf(report).slice(0, -1).join(' | ')} |\n`
}

export function describeBroken(report: Report): string {
  const lines = report.broken.slice(0, namesMax).map(({ promise, what }) => `  ${promise}  ${what}`)
  if (report.broken.length > namesMax) lines.push(`  and ${report.broken.length - namesMax} more`)
  if (report.hits < report.runs) lines.push(`  struck ${report.hits} of ${report.runs} times`)
  return lines.length === 0 ? '' : `\n${report.name}, seed ${report.seed}\n${lines.join('\n')}\n`
}

function rowOf(report: Report): string[] {
  const count = (...promises: string[]): string =>
    String(report.broken.filter(({ promise }) => promises.includes(promise)).length)
  const control = report.mustBreak.length > 0
  return [
    report.name,
    String(report.runs),
    String(report.hits),
    String(report.acknowledged),
    count('I1', 'I4'),
    count('I2', 'I3'),
    count('I10'),
    count('I5', 'I6', 'I7', 'I8', 'I9', 'I11', 'I12', 'I14', 'I15', 'I20', 'answers'),
    shown(percentile(report.recoveriesMs, 0.5)),
    shown(percentile(report.recoveriesMs, 1)),
    report.ok ? (control ? 'seen' : 'ok') : control ? 'NOT SEEN' : 'FAILED',
  ]
}

function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

function shown(ms: number | undefined): string {
  if (ms === undefined) return '–'
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}
