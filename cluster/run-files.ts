import { join, relative } from 'node:path'
import { openStatusLine } from '../bin/status-line.js'
import { hasOwnProcess } from '../test/runner/choose-files.ts'
import { openReport } from '../test/runner/report.ts'
import { runFiles } from '../test/runner/run-files.ts'
import type { Part } from './parts.ts'
import { skipPatterns } from './skipped.ts'

export type Done = {
  readonly name: string
  readonly files: number
  readonly passed: number
  readonly failed: number
  readonly seconds: number
  /** Files that the time was too short for. */
  readonly left: readonly string[]
}

export type Limits = { readonly stopping: AbortSignal; readonly untilMs: number }

/** Each file keeps a coordinator and its nodes busy. */
const workers = 2

export async function runPart(
  root: string,
  { name, files }: Part,
  environment: Record<string, string>,
  { stopping, untilMs }: Limits,
): Promise<Done> {
  const began = Date.now()
  const left: string[] = []
  // Asked before each file: what has begun ends, so a table never lacks half a file.
  const mayStart = (file: string): boolean => {
    if (Date.now() < untilMs) return true
    left.push(relative(root, file))
    return false
  }
  process.stdout.write(`\n${name} (${files.length} files)\n`)
  const report = openReport(openStatusLine({ showsSeconds: false }), root, files.length)
  const results = await runFiles(
    files.map((file) => join(root, file)),
    {
      workers,
      environment,
      stopping,
      mayStart,
      nodeArguments: skipPatterns(),
      hasOwnProcess,
      onStart: report.start,
      onEnd: report.end,
    },
  )
  report.close()
  const sum = (count: (result: (typeof results)[number]) => number): number =>
    results.reduce((total, result) => total + count(result), 0)
  return {
    name,
    files: files.length,
    passed: sum(({ passed }) => passed),
    // A file that was never reported may have failed.
    failed:
      sum(({ failures }) => failures.length) +
      (files.length - left.length - new Set(results.map(({ file }) => file)).size),
    seconds: (Date.now() - began) / 1000,
    left,
  }
}

export function printDone(parts: readonly Done[]): void {
  const rows = parts.map(({ name, files, passed, failed, seconds, left }) =>
    [name, files - left.length, passed, failed, seconds.toFixed(0), left.length].map(String),
  )
  const table = [['part', 'files', 'passed', 'failed', 'seconds', 'files left'], ...rows]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  process.stdout.write(`\n${lines.join('\n')}\n`)
}
