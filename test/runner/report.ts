import { relative } from 'node:path'
import type { StatusLine } from '../../bin/status-line.js'
import type { Check } from './checks.ts'
import type { Ended } from './worker-process.ts'

// What a run prints: a line per file as it ends, a failure at once and in full, and what is running now.

export type Report = {
  readonly start: (file: string) => void
  readonly end: (ended: Ended) => void
  readonly check: (check: Check) => void
  /** Prints the slowest files, every failure again in one line, and the totals. True when all is well. */
  readonly close: () => boolean
}

const slowestShown = 10

export function openReport(status: StatusLine, root: string, total: number): Report {
  const began = performance.now()
  const running: string[] = []
  const results: Ended[] = []
  const checks: Check[] = []
  const shown = (file: string): string => relative(root, file)
  const failedCount = (): number =>
    results.reduce((sum, { failures }) => sum + failures.length, 0) + checks.filter(({ ok }) => !ok).length

  status.show(() =>
    [
      `${results.length} of ${total} files`,
      `${failedCount()} failed`,
      minutes(performance.now() - began),
      `running: ${running.map(shown).join(', ') || 'preparing the database'}`,
    ].join(', '),
  )
  return {
    start: (file) => void running.push(file),
    end(result) {
      running.splice(running.indexOf(result.file), 1)
      results.push(result)
      status.print(fileLines(result, shown(result.file)))
    },
    check(check) {
      checks.push(check)
      const line = `  ${check.name}: ${check.ok ? 'ok' : 'FAILED'} in ${seconds(check.ms)}\n`
      status.print(check.ok ? line : `${check.output.trimEnd()}\n${line}`)
    },
    close() {
      status.end()
      const unheard = total - new Set(results.map(({ file }) => file)).size
      const failed = failedCount() + unheard
      const passed =
        results.reduce((sum, result) => sum + result.passed, 0) + checks.filter(({ ok }) => ok).length
      if (results.length > slowestShown) status.print(slowest(results, shown))
      status.print(failedAgain(results, shown))
      if (unheard > 0) status.print(`\n${unheard} of ${total} files did not run to their end.\n`)
      status.print(`\n${failed === 0 ? 'OK' : 'FAILED'} in ${minutes(performance.now() - began)}\n`)
      status.print(`\n${passed} passed, ${failed} failed\n`)
      return failed === 0
    },
  }
}

function fileLines({ passed, skipped, failures, notes, printed, ms }: Ended, name: string): string {
  const counts = [`${passed} passed`]
  if (failures.length > 0) counts.push(`${failures.length} FAILED`)
  if (skipped > 0) counts.push(`${skipped} skipped`)
  const lines = [`  ${name}: ${counts.join(', ')} in ${seconds(ms)}`]
  lines.push(...notes.map((note) => `    note: ${note}`))
  for (const { title, error } of failures)
    lines.push('', `    FAILED: ${title || 'the file itself'}`, indent(error))
  if (failures.length > 0) {
    if (printed.trim() !== '') lines.push('', '    It printed:', indent(printed.trimEnd()))
    lines.push('', `    Run it again: ${rerun(name)}`, '')
  }
  return `${lines.join('\n')}\n`
}

/** Where the time of a long run went. */
function slowest(results: readonly Ended[], shown: (file: string) => string): string {
  const lines = results
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, slowestShown)
    .map(({ file, ms }) => `${seconds(ms).padStart(9)}  ${shown(file)}\n`)
  return `\nThe slowest ${slowestShown} of ${results.length} files:\n${lines.join('')}`
}

/** They may have scrolled away long ago. */
function failedAgain(results: readonly Ended[], shown: (file: string) => string): string {
  return results
    .filter(({ failures }) => failures.length > 0)
    .map(({ file, failures }) => {
      const titles = failures.map(({ title }) => `  ${title || 'the file itself'}\n`)
      return `\nFAILED: ${rerun(shown(file))}\n${titles.join('')}`
    })
    .join('')
}

function rerun(name: string): string {
  return `npm test -- ${name}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function minutes(ms: number): string {
  const whole = Math.round(ms / 1000)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
