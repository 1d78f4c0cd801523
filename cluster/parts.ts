import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { skippedFiles } from './skipped.ts'

// What `npm run cluster` runs, and which of it was asked for.

export type Part = { readonly name: string; readonly files: readonly string[] }

export class UnknownPart extends Error {}

export function allParts(root: string): Part[] {
  const flows = testsIn(root, 'test/flows').filter((file) => !isSkipped(file))
  const isPage = (file: string): boolean => reaches(root, file, 'test/support/chromium.ts')
  const stores = testsIn(root, 'src').filter((file) => reaches(root, file, 'test/support/database.ts'))
  // What only a cluster can show comes first: the rest may not fit into the time of one run.
  return [
    { name: 'nodes', files: ['cluster/short.test.ts'] },
    { name: 'moves', files: ['cluster/moves-unnoticed.ts', 'cluster/move-under-load.ts'] },
    { name: 'backups', files: ['cluster/backups.ts'] },
    { name: 'faults', files: ['cluster/faults.ts'] },
    { name: 'models', files: ['faults/model.long.test.ts'] },
    { name: 'stores', files: stores.filter((file) => !isSkipped(file)) },
    { name: 'flows', files: flows.filter((file) => !isPage(file)) },
    { name: 'pages', files: flows.filter(isPage) },
  ]
}

const minutesUsually = 30

export function readMinutes(given: string | undefined): number {
  const minutes = Number(given ?? minutesUsually)
  if (minutes > 0) return minutes
  throw new UnknownPart(`--minutes takes a number above 0, not "${given}".`)
}

export type Choice = {
  /** Names of parts; without any, all. */
  readonly only?: readonly string[]
  /** Begins with this file, after a run that ended there. */
  readonly from?: string
  /** These alone. */
  readonly files: readonly string[]
}

export function choose(parts: readonly Part[], { only = [], from, files }: Choice): Part[] {
  if (files.length > 0) return [{ name: 'chosen files', files: files.map((file) => normalize(file)) }]
  const known = new Set(parts.map(({ name }) => name))
  const unknown = only.find((name) => !known.has(name))
  if (unknown !== undefined)
    throw new UnknownPart(`There is no part "${unknown}". The parts are ${[...known].join(', ')}.`)
  const wanted = only.length === 0 ? parts : parts.filter(({ name }) => only.includes(name))
  return from === undefined ? [...wanted] : startWith(wanted, normalize(from))
}

function startWith(parts: readonly Part[], file: string): Part[] {
  const first = parts.findIndex(({ files }) => files.includes(file))
  const part = parts[first]
  if (!part)
    throw new UnknownPart(`${file} is in none of these parts: ${parts.map(({ name }) => name).join(', ')}.`)
  const rest = { ...part, files: part.files.slice(part.files.indexOf(file)) }
  return [rest, ...parts.slice(first + 1)]
}

export function testsIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .toSorted()
}

function isSkipped(file: string): boolean {
  return skippedFiles.some((skipped) => skipped.file === file)
}

/** Whether a test imports this, itself or by way of what supports tests. */
function reaches(root: string, file: string, wanted: string): boolean {
  const seen = new Set<string>()
  const left = [file]
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (at === wanted) return true
    if (seen.has(at) || !existsSync(join(root, at))) continue
    seen.add(at)
    const folder = dirname(at)
    const imported = readFileSync(join(root, at), 'utf8').matchAll(/from '(\.[^']*\.ts)'/g)
    left.push(
      ...[...imported]
        .map(([, path = '']) => normalize(join(folder, path)))
        .filter((path) => path.startsWith('test/support/')),
    )
  }
  return false
}
