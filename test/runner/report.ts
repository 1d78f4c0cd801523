import type { StatusLine } from '../../bin/status-line.js'
import type { Check } from './checks.ts'
import type { Ended } from './worker-process.ts'

// What a run prints: a line per file as it ends, a failure at once and in full, and what is running now.

export type Report = {
  start(file: string): void
  end(ended: Ended): void
  check(check: Check): void
  /** The slowest files, every failure again in one line, and the totals. */
  close(results: readonly Ended[], checks: readonly Check[]): void
}

const slowestShown = 10

export function openReport(status: StatusLine, total: number, show: (file: string) => string): Report {
  const began = performance.now()
  const running: string[] = []
  let ended = 0
  let failed = 0
  const rerun = (file: string): string => `npm test -- ${show(file)}`

  status.show(() =>
    [
      `${ended} of ${total} files`,
      `${failed} failed`,
      minutes(performance.now() - began),
      `running: ${running.map(show).join(', ') || 'preparing the database'}`,
    ].join(', '),
  )
  return {
    start: (file) => void running.push(file),
    end(result) {
      running.splice(running.indexOf(result.file), 1)
      ended += 1
      failed += result.failures.length
      const parts = [`${result.passed} passed`]
      if (result.failures.length > 0) parts.push(`${result.failures.length} FAILED`)
      if (result.skipped > 0) parts.push(`${result.skipped} skipped`)
      status.print(`  ${show(result.file)}: ${parts.join(', ')} in ${seconds(result.ms)}\n`)
      for (const note of result.notes) status.print(`    note: ${note}\n`)
      for (const { title, error } of result.failures)
        status.print(`\n    FAILED ${title || show(result.file)}\n${indent(error)}\n`)
      if (result.failures.length === 0) return
      if (result.printed.trim() !== '') status.print(`    It printed:\n${indent(result.printed.trimEnd())}\n`)
      status.print(`    To see it again: ${rerun(result.file)}\n\n`)
    },
    check({ name, ok, ms, output }) {
      failed += ok ? 0 : 1
      if (!ok) status.print(`${output.trimEnd()}\n`)
      status.print(`  ${name}: ${ok ? 'ok' : 'FAILED'} in ${seconds(ms)}\n`)
    },
    close(results, checks) {
      status.end()
      if (results.length > slowestShown) status.print(slowest(results, show))
      const bad = results.filter(({ failures }) => failures.length > 0)
      for (const { file, failures } of bad) {
        status.print(`\nFAILED ${rerun(file)}\n`)
        for (const { title } of failures) status.print(`  ${title || 'the file itself'}\n`)
      }
      const passed =
        results.reduce((sum, result) => sum + result.passed, 0) + checks.filter(({ ok }) => ok).length
      status.print(`\nTests: ${failed === 0 ? 'ok' : 'FAILED'} in ${minutes(performance.now() - began)}\n`)
      status.print(`\n${passed} passed, ${failed} failed\n`)
    },
  }
}

/** Where the time of a long run went. */
function slowest(results: readonly Ended[], show: (file: string) => string): string {
  const lines = results
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, slowestShown)
    .map(({ file, ms }) => `${seconds(ms).padStart(9)}  ${show(file)}\n`)
  return `\nThe slowest ${slowestShown} of ${results.length} files:\n${lines.join('')}`
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
