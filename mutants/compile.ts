import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Mutant } from './operators.ts'

// A bug that does not compile is nobody's: `npm test` checks types before it runs anything.

/** A copy of the sources, so that the bug is never in the files themselves. */
export function openCompiler(root: string, folder: string): (mutant: Mutant) => boolean {
  const tree = join(folder, 'tree')
  mkdirSync(tree, { recursive: true })
  cpSync(join(root, 'src'), join(tree, 'src'), { recursive: true, force: true })
  cpSync(join(root, 'bin'), join(tree, 'bin'), { recursive: true, force: true })
  cpSync(join(root, 'package.json'), join(tree, 'package.json'))

  return ({ path, from, to, replacement }) => {
    const text = readFileSync(join(root, path), 'utf8')
    // The file and what it imports: whoever imports it sees its types, which a bug in its code hardly changes.
    const config = { extends: relative(tree, join(root, 'tsconfig.json')), include: [], files: [path] }
    writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(tree, path), text.slice(0, from) + replacement + text.slice(to))
    const compile = [join(root, 'node_modules/typescript/bin/tsc'), '-p', tree]
    const { status } = spawnSync(process.execPath, compile, { stdio: 'ignore' })
    writeFileSync(join(tree, path), text)
    return status === 0
  }
}
