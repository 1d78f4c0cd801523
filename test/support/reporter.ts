import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { failuresOf, isEmptyFile, type Counts } from './count.ts'

// One line per file while the run goes on; what failed is told in full at the end, with what its file printed.

type FileTime = { readonly file: string; readonly ms: number }
const slowestShown = 10

/** A test that could not look at everything says so: `context.diagnostic('note: …')`. */
const notePrefix = 'note: '

type Failure = { readonly file: string; readonly title: string; readonly error: unknown }

export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failures: Failure[] = []
  const printed = new Map<string, string>()
  const notes = new Map<string, string[]>()
  const names: string[] = []
  const times: FileTime[] = []
  for await (const event of source) {
    if (event.type === 'test:start') {
      names.length = event.data.nesting
      names.push(event.data.name)
    } else if (event.type === 'test:fail') {
      const { error } = event.data.details
      if (isOnlyParent(error) || event.data.todo !== undefined) continue
      const title = [...names.slice(0, event.data.nesting), event.data.name].join(' › ')
      failures.push({ file: shown(event.data.file), title, error: error.cause ?? error })
    } else if (event.type === 'test:pass' && isEmptyFile(event)) {
      failures.push({
        file: shown(event.data.file),
        title: 'has no test',
        error: 'Every test file tests something.',
      })
    } else if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      const file = shown(event.data.file)
      printed.set(file, (printed.get(file) ?? '') + event.data.message)
    } else if (event.type === 'test:diagnostic' && event.data.message.startsWith(notePrefix)) {
      const file = shown(event.data.file)
      notes.set(file, [...(notes.get(file) ?? []), event.data.message.slice(notePrefix.length)])
    } else if (event.type === 'test:summary' && event.data.file) {
      yield fileLine(event.data.file, event.data.counts, event.data.duration_ms)
      times.push({ file: shown(event.data.file), ms: event.data.duration_ms })
      for (const note of notes.get(shown(event.data.file)) ?? []) yield `    note: ${note}\n`
    }
  }
  yield slowest(times)
  for (const failure of failures)
    yield `\nFailed: ${failure.file}\n  ${failure.title}\n${indent(told(failure.error))}`
  for (const file of new Set(failures.map((failure) => failure.file))) {
    const words = printed.get(file)
    if (words) yield `\nPrinted by ${file}:\n${indent(words.trimEnd())}`
  }
}

/** Of a run of many files, where the time went. */
function slowest(times: readonly FileTime[]): string {
  if (times.length <= slowestShown) return ''
  const lines = times
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, slowestShown)
    .map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`)
  return `\nThe slowest ${slowestShown} of ${times.length} files:\n${lines.join('')}`
}

function fileLine(file: string, counts: Counts, durationMs: number): string {
  const failed = failuresOf(counts)
  const parts = [`${counts.passed} passed`]
  if (failed > 0) parts.push(`${failed} FAILED`)
  if (counts.skipped > 0) parts.push(`${counts.skipped} skipped`)
  return `  ${shown(file)}: ${parts.join(', ')} in ${(durationMs / 1000).toFixed(1)} s\n`
}

function isOnlyParent(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

function told(error: unknown): string {
  return error instanceof Error ? inspect(error, { depth: 4 }) : String(error)
}

function indent(words: string): string {
  return `${words.replaceAll(/^/gm, '    ')}\n`
}

function shown(file: string | undefined): string {
  return file ? relative(process.cwd(), file) : ''
}
