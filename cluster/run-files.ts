import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Part } from './parts.ts'
import { skipPatterns } from './skipped.ts'

export type Done = {
  readonly name: string
  readonly files: number
  readonly passed: number
  readonly failed: number
  readonly seconds: number
}

/** A test here waits for several PostgreSQL at once. */
const testLimitMs = 300_000

export async function runFiles(
  root: string,
  { name, files }: Part,
  environment: Record<string, string>,
  stopping: AbortSignal,
): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-cluster-files-'))
  const totals = join(folder, 'totals.json')
  const args = ['--test', '--test-concurrency=2', `--test-timeout=${testLimitMs}`]
  args.push('--import=./test/support/end-of-file.ts')
  args.push('--test-reporter=./test/support/reporter.ts', '--test-reporter-destination=stdout')
  args.push('--test-reporter=./test/support/count.ts', `--test-reporter-destination=${totals}`)
  args.push(...skipPatterns())
  const began = Date.now()
  try {
    process.stdout.write(`\n${name} (${files.length} files)\n`)
    await ended(root, [...args, ...files], environment, stopping)
    const count = readCount(totals)
    // A file whose end nobody heard of may have failed.
    const silent = files.length - (count.files ?? 0)
    return {
      name,
      files: files.length,
      passed: count.passed ?? 0,
      failed: (count.failed ?? 0) + silent,
      seconds: (Date.now() - began) / 1000,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readCount(path: string): Partial<Done> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Done>
  } catch {
    // It was stopped before it had counted.
    return {}
  }
}

async function ended(
  root: string,
  args: string[],
  environment: Record<string, string>,
  stopping: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true, // a group, with all that the tests start
  })
  const stop = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
  stopping.addEventListener('abort', stop)
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => resolve())
  })
  stopping.removeEventListener('abort', stop)
}

export function printDone(parts: readonly Done[]): void {
  const rows = parts.map(({ name, files, passed, failed, seconds }) =>
    [name, files, passed, failed, seconds.toFixed(0)].map(String),
  )
  const table = [['part', 'files', 'passed', 'failed', 'seconds'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  process.stdout.write(`\n${lines.join('\n')}\n`)
}
