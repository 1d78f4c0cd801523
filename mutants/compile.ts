import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Mutant } from './operators.ts'

// A bug that does not compile is nobody's: `npm test` checks types before anything lands.

/** Works on a copy of the sources, so that the bug is never in the files themselves. One bug at a time. */
export function openCompiler(root: string, folder: string): (mutant: Mutant) => Promise<boolean> {
  const tree = join(folder, 'tree')
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(tree, { recursive: true })
  cpSync(join(root, 'src'), join(tree, 'src'), { recursive: true, force: true })
  cpSync(join(root, 'bin'), join(tree, 'bin'), { recursive: true, force: true })
  cpSync(join(root, 'package.json'), join(tree, 'package.json'))
  let turn: Promise<unknown> = Promise.resolve()

  const compile = async ({ path, from, to, replacement }: Mutant): Promise<boolean> => {
    const text = readFileSync(join(root, path), 'utf8')
    // The file and what it imports: whoever imports it sees its types, which a bug in its code hardly changes.
    const config = { extends: relative(tree, join(root, 'tsconfig.json')), include: [], files: [path] }
    writeFileSync(join(tree, 'tsconfig.json'), JSON.stringify(config))
    writeFileSync(join(tree, path), text.slice(0, from) + replacement + text.slice(to))
    const compiler = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', tree], {
      stdio: 'ignore',
    })
    const [code] = (await once(compiler, 'exit')) as [number | null]
    writeFileSync(join(tree, path), text)
    return code === 0
  }

  return async (mutant) => {
    const mine = turn.then(async () => compile(mutant))
    turn = mine.catch(() => {})
    return mine
  }
}
