import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashOf, isConstant, isRun, type TestRun } from './touched.ts'

// Which tests judge a bug, and in which order. A function that every story runs would take an hour to survive them all.

const root = fileURLToPath(new URL('../', import.meta.url))
const quickestForMs = 8_000
const alikeForMs = 20_000
/** Some two lines to each side. */
const aroundCharacters = 200

/**
 * Of the tests that run the function around a place: those of its own folder and the quickest, then those that share the rarest words
 * with it, in their names or in what they do.
 */
export function judgesOf(
  runs: readonly TestRun[],
  path: string,
  at: number,
  likeness: Likeness = likenessTo(runs),
): TestRun[] {
  const hash = hashOf(path)
  const text = readFileSync(join(root, path), 'utf8')
  const nearness = (run: TestRun): number =>
    dirname(run.file) !== dirname(path) ? 0 : basename(run.file).startsWith(basename(path, 'ts')) ? 2 : 1
  const users = hasFunctions(text) ? [] : importersOf(path)
  // A table of routes is read by tests that never call one of them.
  const isRead = runs.some(({ touched }) => isConstant(touched[path], hash, at))
  const all = runs
    .filter(
      ({ file, touched }) =>
        isRun(touched[path], hash, at) ||
        (isRead && loads(file, path)) ||
        users.some((user) => touched[user]?.spans.some(({ ran }) => ran)),
    )
    .toSorted((a, b) => nearness(b) - nearness(a) || a.ms - b.ms)
  const first = within(all, quickestForMs)
  const place = wordsOf(`${path} ${text.slice(Math.max(0, at - aroundCharacters), at + aroundCharacters)}`)
  const alike = all
    .filter((run) => !first.includes(run))
    .map((run) => ({ run, likeness: likeness(run.file, place) }))
    .filter((one) => one.likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness || a.run.ms - b.run.ms)
    .map(({ run }) => run)
  return [...first, ...within(alike, alikeForMs)]
}

/** A file of constants runs once, when the first test imports it: whoever runs the files that use it may judge. */
function hasFunctions(text: string): boolean {
  return /=>|\bfunction\b|^ {2}[\w#]+\(.*\{$/m.test(text)
}

let importers: Map<string, string[]> | undefined

function importersOf(path: string): readonly string[] {
  importers ??= readImporters()
  return importers.get(path) ?? []
}

function readImporters(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  for (const name of sources.filter((one) => one.endsWith('.ts') && !one.endsWith('.test.ts'))) {
    const file = `src/${name}`
    for (const [, to = ''] of readFileSync(join(root, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
      const imported = resolve('/', dirname(file), to).slice(1)
      found.set(imported, [...(found.get(imported) ?? []), file])
    }
  }
  return found
}

const loaded = new Map<string, ReadonlySet<string>>()

/** Whether a test imports a file, however many files are in between. */
function loads(test: string, path: string): boolean {
  const known = loaded.get(test) ?? filesLoadedBy(test)
  loaded.set(test, known)
  return known.has(path)
}

function filesLoadedBy(test: string): Set<string> {
  const files = new Set([test])
  // A set hands out what is added while it is read.
  for (const file of files) for (const imported of importsIn(file)) files.add(imported)
  return files
}

const imports = new Map<string, readonly string[]>()

function importsIn(file: string): readonly string[] {
  const known = imports.get(file)
  if (known) return known
  const found = readTest(file).matchAll(/^(?:import|export|\}) [^;]*?from '(\.[^']+)'/gm)
  const read = [...found].map(([, to = '']) => resolve('/', dirname(file), to).slice(1))
  imports.set(file, read)
  return read
}

/** As many of them as have time, and one at least. */
function within(runs: readonly TestRun[], limitMs: number): TestRun[] {
  let ms = 0
  return runs.filter((run, index) => (ms += run.ms) <= limitMs || index === 0)
}

export type Likeness = (testFile: string, place: ReadonlySet<string>) => number

/** A word that few tests use, such as slash, says more than one that all use, such as payment. */
export function likenessTo(
  runs: readonly Pick<TestRun, 'file'>[],
  readText: (file: string) => string = readTest,
): Likeness {
  const words = new Map(runs.map(({ file }) => [file, wordsOf(`${file} ${readText(file)}`)]))
  const counts = new Map<string, number>()
  for (const used of words.values()) for (const word of used) counts.set(word, (counts.get(word) ?? 0) + 1)
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
