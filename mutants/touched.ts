import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseFiles, hasOwnProcess } from '../test/runner/choose-files.ts'
import { runFiles } from '../test/runner/run-files.ts'

// The map: which test files run which functions. It is kept between runs, and a test file is counted again once it was changed.

type Span = { readonly from: number; readonly to: number; readonly ran: boolean }

export type Touched = {
  /** Of the source file when it was counted. */
  readonly hash: string
  /** Functions, outer ones before inner ones; the first is the file itself. */
  readonly spans: readonly Span[]
}

export type TestRun = {
  readonly file: string
  readonly hash: string
  readonly ms: number
  /** By source file. */
  readonly touched: Readonly<Record<string, Touched>>
}

const root = fileURLToPath(new URL('../', import.meta.url))
const workers = 4

/** Those that `npm test` runs, less the ones that only read the text of the tree: a planted bug is never in a file. */
export function testFiles(): string[] {
  return chooseFiles(root, [])
    .files.map((file) => relative(root, file))
    .filter((file) => /^(src|test\/flows|faults)\//.test(file) && !/fuzz|short\.test/.test(file))
}

/** Counts what is not in the map yet. */
export async function readMap(
  store: string,
  files: readonly string[],
  onFile: (counted: number, of: number) => void,
): Promise<TestRun[]> {
  const known = existsSync(store) ? (JSON.parse(readFileSync(store, 'utf8')) as TestRun[]) : []
  const runs = new Map(known.filter(({ file, hash }) => hashOf(file) === hash).map((run) => [run.file, run]))
  const missing = files.filter((file) => !runs.has(file))
  const folder = mkdtempSync(join(tmpdir(), 'florin-mutants-map-'))
  let counted = 0
  const ended = await runFiles(
    missing.map((file) => join(root, file)),
    {
      workers,
      hasOwnProcess,
      nodeArguments: [`--import=${new URL('count.js', import.meta.url).href}`],
      environment: { FLORIN_MUTANT_COUNTS: folder },
      onEnd: () => onFile((counted += 1), missing.length),
    },
  )
  const touched = readCounted(folder)
  rmSync(folder, { recursive: true, force: true })
  for (const { file: path, ms, failures } of ended) {
    const file = relative(root, path)
    if (failures.length > 0)
      process.stderr.write(`${file} fails without any bug, and judges none: ${failures[0]?.error}\n`)
    else runs.set(file, { file, hash: hashOf(file), ms, touched: touched.get(path) ?? {} })
  }
  mkdirSync(dirname(store), { recursive: true })
  writeFileSync(store, JSON.stringify([...runs.values()]))
  return files.flatMap((file) => runs.get(file) ?? [])
}

type Counted = {
  readonly file: string
  readonly scripts: readonly { readonly url: string; readonly spans: readonly Span[] }[]
}

function readCounted(folder: string): Map<string, Record<string, Touched>> {
  const byFile = new Map<string, Record<string, Touched>>()
  for (const name of readdirSync(folder)) {
    const { file, scripts } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Counted
    const touched = byFile.get(file) ?? {}
    for (const { url, spans } of scripts) {
      const source = relative(root, fileURLToPath(url))
      if (!spans.some(({ ran }) => ran)) continue
      touched[source] = { hash: hashOf(source), spans: [...(touched[source]?.spans ?? []), ...spans] }
    }
    byFile.set(file, touched)
  }
  return byFile
}

export function hashOf(file: string): string {
  const path = join(root, file)
  if (!existsSync(path)) return ''
  return createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)
}

/**
 * Whether a test runs the innermost function around a place. A constant of the file itself is run by every test that runs one of the
 * file's functions: a worker imports each module once, whichever test comes first. In a file that was changed since, functions are
 * elsewhere, so any test that ran one of them counts.
 */
export function isRun(touched: Touched | undefined, hash: string, at: number): boolean {
  const spans = touched?.spans ?? []
  const ranAny = spans.some(({ from, ran }) => from > 0 && ran)
  if (touched?.hash !== hash) return ranAny
  const innermost = innermostOf(spans, at)
  return innermost.some(({ ran }) => ran) || (ranAny && innermost.some(({ from }) => from === 0))
}

/** Whether a place is outside of every function of its file. */
export function isConstant(touched: Touched | undefined, hash: string, at: number): boolean {
  return touched?.hash === hash && innermostOf(touched.spans, at).some(({ from }) => from === 0)
}

function innermostOf(spans: readonly Span[], at: number): readonly Span[] {
  const around = spans.filter(({ from, to }) => from <= at && at < to)
  const size = Math.min(...around.map(({ from, to }) => to - from))
  return around.filter(({ from, to }) => to - from === size)
}
