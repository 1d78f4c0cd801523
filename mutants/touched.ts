import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// Which test files run which functions, by V8's own count. A bug is judged by these alone: all 120 files for each of
// some thousand bugs would take days.

type Span = { readonly from: number; readonly to: number; readonly ran: boolean }

export type TestRun = {
  readonly file: string
  /** Of the test file when it ran: a test that was changed since is run again. */
  readonly hash: string
  readonly ms: number
  /** By file of src/: the functions that V8 has seen, outer ones before inner ones, and the text they stand in. */
  readonly touched: Readonly<Record<string, Touched>>
}

export type Touched = { readonly hash: string; readonly spans: readonly Span[] }

const root = fileURLToPath(new URL('../', import.meta.url))

/** More than there are cores: much of a test is waiting. */
export const filesAtOnce = 3

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
  const runs = new Map(known.filter(({ file, hash }) => hashOf(file) === hash).map((run) => [run.file, run]))
  const missing = files.filter((file) => !runs.has(file))
  const runNext = async (): Promise<void> => {
    for (let file = missing.shift(); file !== undefined; file = missing.shift()) {
      // A test that failed only because the machine is busy must not be missed for good.
      const run = (await runOnce(file)) ?? (await runOnce(file))
      onFile(files.length - missing.length)
      if (!run) process.stderr.write(`${file} fails without any bug, and judges none\n`)
      else runs.set(file, run)
      mkdirSync(dirname(store), { recursive: true })
      writeFileSync(store, JSON.stringify([...runs.values()]))
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, runNext))
  return files.flatMap((file) => runs.get(file) ?? [])
}

/** Undefined when it failed. */
async function runOnce(file: string): Promise<TestRun | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-mutants-'))
  const began = Date.now()
  const code = await runTestFile(file, { NODE_V8_COVERAGE: folder })
  const ms = Date.now() - began
  const touched: Record<string, { hash: string; spans: Span[] }> = {}
  for (const name of code === 0 ? readdirSync(folder) : []) readSpans(join(folder, name), touched)
  rmSync(folder, { recursive: true, force: true })
  return code === 0 ? { file, hash: hashOf(file), ms, touched } : undefined
}

export function hashOf(file: string): string {
  const path = join(root, file)
  if (!existsSync(path)) return ''
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
}

type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly { startOffset: number; endOffset: number; count: number }[]
    }[]
  }[]
}

function readSpans(path: string, touched: Record<string, { hash: string; spans: Span[] }>): void {
  const { result } = JSON.parse(readFileSync(path, 'utf8')) as Coverage
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue
    const file = relative(root, fileURLToPath(url))
    if (!file.startsWith('src/')) continue
    const { spans } = (touched[file] ??= { hash: hashOf(file), spans: [] })
    for (const { ranges } of functions) {
      const [whole] = ranges
      if (whole) spans.push({ from: whole.startOffset, to: whole.endOffset, ran: whole.count > 0 })
    }
  }
}

// A place that every story touches would take an hour to survive: whoever breaks it should hear of it sooner.
const quickestForMs = 40_000
const alikeForMs = 140_000

/**
 * Of the tests that run the innermost function around a place: those of its own folder and the quickest, then, of those
 * that are left, the ones that say most of the words around it, in their names or in what they do.
 */
export function judgesOf(
  runs: readonly TestRun[],
  path: string,
  at: number,
  likeness: Likeness = likenessTo(runs),
): TestRun[] {
  const hash = hashOf(path)
  const isNear = (run: TestRun): boolean => dirname(run.file) === dirname(path)
  const all = runs
    .filter(({ touched }) => isRun(touched[path], hash, at))
    .toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)) || a.ms - b.ms)
  const first = within(all, quickestForMs)
  const text = readFileSync(join(root, path), 'utf8')
  const place = wordsOf(`${path} ${text.slice(Math.max(0, at - aroundCharacters), at + aroundCharacters)}`)
  const alike = all
    .filter((run) => !first.includes(run))
    .map((run) => ({ run, likeness: likeness(run.file, place) }))
    .filter((one) => one.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness || a.run.ms - b.run.ms)
    .map(({ run }) => run)
  return [...first, ...within(alike, alikeForMs)]
}

/** Some two lines to each side. */
const aroundCharacters = 200

/** As many of them as have time, and one at least. */
function within(runs: readonly TestRun[], limitMs: number): TestRun[] {
  let ms = 0
  return runs.filter((run, index) => (ms += run.ms) <= limitMs || index === 0)
}

export type Likeness = (testFile: string, place: ReadonlySet<string>) => number

/** A word that few tests say, such as slash, tells more than one that all say, such as payment. */
export function likenessTo(
  runs: readonly Pick<TestRun, 'file'>[],
  readText: (file: string) => string = readTest,
): Likeness {
  const words = new Map(runs.map(({ file }) => [file, wordsOf(`${file} ${readText(file)}`)]))
  const counts = new Map<string, number>()
  for (const said of words.values()) for (const word of said) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (file, place) => {
    const common = [...place].filter((word) => words.get(file)?.has(word))
    return common.reduce((sum, word) => sum + Math.log(runs.length / (counts.get(word) ?? 1)), 0)
  }
}

function readTest(file: string): string {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** In small letters and without an s at the end. */
export function wordsOf(text: string): Set<string> {
  const words = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return new Set(words.map((word) => word.replace(/s$/, '')).filter((word) => word.length > 2))
}

/** In a file that was changed since, functions stand elsewhere: then any test that runs something of it may judge. */
export function isRun(touched: Touched | undefined, hash: string, at: number): boolean {
  const spans = touched?.spans ?? []
  // The first function of a file is the file itself, which runs wherever it is imported.
  if (touched?.hash !== hash) return spans.some(({ from, ran }) => from > 0 && ran)
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
  const args = ['--test', '--test-timeout=60000', file]
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
