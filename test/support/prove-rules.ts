import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Rule, SourceFile } from './source-files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Every file of the project that a person wrote. */
export const tree = readTree()

/** Every rule, with files that keep it and files that break it. A rule that no sample breaks would prove nothing. */
export type Samples<Name extends string> = Record<
  Name,
  { readonly keep: readonly SourceFile[]; readonly broken: readonly SourceFile[] }
>

export function proveRules<Name extends string>(rules: Record<Name, Rule>, samples: Samples<Name>): void {
  for (const [name, rule] of Object.entries(rules) as [Name, Rule][]) {
    const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

    test(`the house rule holds: ${words}`, () => {
      assert.deepEqual(rule(tree), [])
    })

    test(`a broken sample is found: ${words}`, () => {
      assert.deepEqual(rule(samples[name].keep), [])
      const found = rule(samples[name].broken)
      const isMissed = (sample: SourceFile): boolean =>
        !/store\.ts$|\.sql$/.test(sample.path) && !found.some((line) => isAbout(line, sample.path))
      assert.deepEqual(samples[name].broken.filter(isMissed), [])
      assert.notEqual(found.length, 0)
    })
  }
}

/** A line begins with the file, or the folder, that it is about; a circle names all its files. */
function isAbout(line: string, path: string): boolean {
  const [place = ''] = line.split(':')
  return line.includes(path) || (place.endsWith('/') && path.startsWith(place))
}

export function file(path: string, text: string): SourceFile {
  return { path, text }
}

function readTree(): SourceFile[] {
  const folders = ['src', 'test', 'bin', 'bench', 'faults', 'mutants', 'docs']
  const entries = readdirSync(root, { withFileTypes: true })
  const inside = entries
    .filter((entry) => entry.isDirectory() && folders.includes(entry.name))
    .flatMap((entry) => readdirSync(join(root, entry.name), { withFileTypes: true, recursive: true }))
  return [...entries, ...inside]
    .filter((entry) => entry.isFile() && !/\.(png|jpe?g|webp|woff2?|zip|gz)$/.test(entry.name))
    .filter((entry) => entry.parentPath !== root || /\.(md|ts|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => file(relative(root, path).split(sep).join('/'), readFileSync(path, 'utf8')))
}
