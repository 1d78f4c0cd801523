import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

// Which test files a run is about: `npm test -- [--long] [--changed[=COMMIT]] [--name PATTERN] [file or folder …]`.

export class WrongArguments extends Error {}

export type Choice = {
  /** Absolute paths. */
  readonly files: readonly string[]
  /** Everything, with types, lint and format. */
  readonly isWhole: boolean
  readonly namePattern: string | undefined
}

const testFolders = ['src', 'test', 'faults', 'bench', 'mutants', 'cluster', 'clients', 'plugins']
const longEnding = '.long.test.ts'

export function chooseFiles(root: string, args: readonly string[]): Choice {
  const { long, changed, name, paths } = readArguments(args)
  if (paths.length > 0)
    return { files: [...new Set(paths.flatMap(filesIn))], isWhole: false, namePattern: name }
  const all = testFolders.map((folder) => join(root, folder)).filter((folder) => existsSync(folder))
  const files = all.flatMap(filesIn)
  if (changed !== undefined)
    return { files: testsOfChanges(root, changed, files), isWhole: false, namePattern: name }
  const wanted = files.filter((file) => isLong(file) === long)
  return { files: wanted, isWhole: !long, namePattern: name }
}

function readArguments(args: readonly string[]) {
  // `--changed` takes a commit only after an equals sign.
  const spelled = args.map((arg) => (arg === '--changed' ? '--changed=HEAD' : arg))
  try {
    const { values, positionals } = parseArgs({
      args: spelled,
      options: {
        long: { type: 'boolean', default: false },
        changed: { type: 'string' },
        name: { type: 'string' },
      },
      allowPositionals: true,
    })
    const paths = positionals.map((path) => resolve(path))
    return { long: values.long, changed: values.changed, name: values.name, paths }
  } catch (error) {
    throw new WrongArguments((error as Error).message)
  }
}

/** A file, or every test file of a folder. */
function filesIn(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new WrongArguments(`There is no file or folder ${path}`)
  if (!found.isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(path, file))
    .toSorted()
}

/** Tests that were changed, that are named after a changed file, or that import it. */
function testsOfChanges(root: string, since: string, tests: readonly string[]): string[] {
  const changed = changedFiles(root, since)
  const isOwn = (test: string): boolean =>
    changed.some((file) => file === test || isNamedAfter(test, file) || importsOf(test).has(file))
  return tests.filter((test) => !isLong(test) || changed.includes(test)).filter(isOwn)
}

function changedFiles(root: string, since: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .split('\0')
      .filter((path) => path !== '')
  try {
    const tracked = git('diff', '--name-only', '--no-renames', '-z', since)
    const untracked = git('ls-files', '--others', '--exclude-standard', '-z')
    return [...tracked, ...untracked].map((path) => join(root, path))
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new WrongArguments(`--changed asks git what changed, and git failed: ${stderr?.trim() || message}`)
  }
}

/** `pay.test.ts` and `pay.late.test.ts` belong to `pay.ts`. */
function isNamedAfter(test: string, file: string): boolean {
  const name = basename(file).replace(/\.[^.]+$/, '')
  return dirname(test) === dirname(file) && basename(test).startsWith(`${name}.`)
}

function importsOf(test: string): Set<string> {
  const paths = readFileSync(test, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)
  return new Set([...paths].map(([, path = '']) => resolve(dirname(test), path)))
}

/** Of `npm run test:long`. */
export function isLong(file: string): boolean {
  return file.endsWith(longEnding)
}

/** `// Own process: why` as a file's first line. */
export function hasOwnProcess(file: string): boolean {
  return /^\/\/ Own process: \S/.test(readFileSync(file, 'utf8'))
}
