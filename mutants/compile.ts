import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Mutant } from './operators.ts'

// A bug that does not compile is nobody's: `npm test` checks types before anything lands.

export type Compiler = (mutants: readonly Mutant[]) => Promise<boolean[]>

/**
 * Compiles many bugs in one run, which costs little more than one: each is in a copy of its file, beside the file, in a copy of the
 * sources. A copy without a bug shows the errors that come from being a copy, as a class with private members is another class then.
 */
export function openCompiler(root: string, folder: string): Compiler {
  const tree = join(folder, 'tree')
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  cpSync(join(root, 'src'), join(tree, 'src'), { recursive: true, force: true })
  cpSync(join(root, 'bin'), join(tree, 'bin'), { recursive: true, force: true })
  cpSync(join(root, 'package.json'), join(tree, 'package.json'))

  return async (mutants) => {
    const sources = new Map([...new Set(mutants.map(({ path }) => path))].map((path) => [path, read(path)]))
    const copies = [
      ...[...sources].map(([path, source]) => ({ name: copyOf(path, 'whole'), source })),
      ...mutants.map(({ path, from, to, replacement }, index) => {
        const source = sources.get(path) ?? ''
        return { name: copyOf(path, index), source: source.slice(0, from) + replacement + source.slice(to) }
      }),
    ]
    for (const { name, source } of copies) writeFileSync(join(tree, name), source)
    const errors = await countErrors(copies.map(({ name }) => name))
    for (const { name } of copies) rmSync(join(tree, name))
    return mutants.map(
      ({ path }, index) =>
        (errors.get(copyOf(path, index)) ?? 0) === (errors.get(copyOf(path, 'whole')) ?? 0),
    )
  }

  function read(path: string): string {
    return readFileSync(join(root, path), 'utf8')
  }

  /** The files and what they import: whoever imports one sees its types, which a bug in its code hardly changes. */
  async function countErrors(files: readonly string[]): Promise<Map<string, number>> {
    const config = { extends: relative(tree, join(root, 'tsconfig.json')), include: [], files }
    writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify(config))
    const compiler = spawn(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', tree, '--pretty', 'false'],
      { cwd: tree, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const [output] = await Promise.all([text(compiler.stdout), once(compiler, 'exit')])
    const counts = new Map<string, number>()
    for (const [, file = ''] of output.matchAll(/^(\S+?\.ts)\(\d+,\d+\): error /gm))
      counts.set(file, (counts.get(file) ?? 0) + 1)
    return counts
  }
}

function copyOf(path: string, name: string | number): string {
  return path.replace(/\.ts$/, `.planted-${name}.ts`)
}
