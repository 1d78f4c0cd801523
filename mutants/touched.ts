import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// Which test files run which functions, by V8's own count. A bug is judged by these alone: all 120 files for each of
// some thousand bugs would take days.

type Span = { readonly from: number; readonly to: number; readonly ran: boolean }

export type TestRun = {
  readonly file: string
  readonly ms: number
  /** By file of src/: the functions that V8 has seen, outer ones before inner ones. */
  readonly spans: Readonly<Record<string, readonly Span[]>>
}

const root = fileURLToPath(new URL('../', import.meta.url))

export function testFiles(): string[] {
  return (
    ['src', 'test', 'faults']
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
          join(folder, name),
        ),
      )
      .filter((name) => name.endsWith('.test.ts'))
      // They hold the text of the tree to rules; a planted bug is not in the text.
      .filter((name) => !/tidy|architecture|dependencies|fuzz|short\.test/.test(name))
      .toSorted()
  )
}

/** Runs each test file once, or reads how an earlier run went. */
export async function readTouched(
  store: string,
  files: readonly string[],
  onFile: (done: number) => void,
): Promise<TestRun[]> {
  const known = existsSync(store) ? (JSON.parse(readFileSync(store, 'utf8')) as TestRun[]) : []
  const runs = new Map(known.map((run) => [run.file, run]))
  for (const [done, file] of files.entries()) {
    onFile(done)
    if (runs.has(file)) continue
    runs.set(file, await runOnce(file))
    mkdirSync(dirname(store), { recursive: true })
    writeFileSync(store, JSON.stringify([...runs.values()]))
  }
  return files.flatMap((file) => runs.get(file) ?? [])
}

async function runOnce(file: string): Promise<TestRun> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-mutants-'))
  const began = Date.now()
  const code = await runTestFile(file, { NODE_V8_COVERAGE: folder })
  const ms = Date.now() - began
  if (code !== 0) process.stderr.write(`${file} fails without any bug, and judges none\n`)
  const spans: Record<string, Span[]> = {}
  for (const name of code === 0 ? readdirSync(folder) : []) readSpans(join(folder, name), spans)
  rmSync(folder, { recursive: true, force: true })
  return { file, ms, spans }
}

type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[]
    }[]
  }[]
}

function readSpans(path: string, spans: Record<string, Span[]>): void {
  const { result } = JSON.parse(readFileSync(path, 'utf8')) as Coverage
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue
    const file = relative(root, fileURLToPath(url))
    if (!file.startsWith('src/')) continue
    const seen = (spans[file] ??= [])
    for (const { ranges } of functions) {
      const [whole] = ranges
      if (whole) seen.push({ from: whole.startOffset, to: whole.endOffset, ran: whole.count > 0 })
    }
  }
}

/** The tests that run the innermost function around a place, quickest first. */
export function judgesOf(runs: readonly TestRun[], path: string, at: number): TestRun[] {
  return runs.filter(({ spans }) => isRun(spans[path] ?? [], at)).toSorted((a, b) => a.ms - b.ms)
}

function isRun(spans: readonly Span[], at: number): boolean {
  const around = spans.filter(({ from, to }) => from <= at && at < to)
  const size = Math.min(...around.map(({ from, to }) => to - from))
  return around.some(({ from, to, ran }) => to - from === size && ran)
}

/** The exit code; null when it had to be ended. */
export async function runTestFile(
  file: string,
  environment: Record<string, string>,
  limitMs = 120_000,
): Promise<number | null> {
  const args = ['--test', '--test-timeout=60000', '--import=./test/support/end-of-file.ts', file]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'ignore',
    // A group of its own, so that whatever the test has started ends with it.
    detached: true,
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), limitMs)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}
