import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

// Which Florin this is: 0.3.0, or 0.3.0+1759a6f where it runs from a clone.

const home = fileURLToPath(new URL('../../../', import.meta.url))
let running: string | undefined

/** Read once: after a `git pull` this process is still the version that it started as. */
export function programVersion(): string {
  return (running ??= versionIn(home))
}

/** As package.json has it. */
export function releaseVersion(folder = home): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}

export function versionIn(folder: string): string {
  const commit = commitIn(resolve(folder, '.git'))
  return releaseVersion(folder) + (commit === undefined ? '' : `+${commit}`)
}

/** Without the program git, which a server need not have. */
function commitIn(clone: string): string | undefined {
  // In a worktree .git is a file that names the folder.
  const elsewhere = /^gitdir: (.+)/.exec(read(clone))?.[1]
  const own = resolve(clone, '..', elsewhere ?? clone)
  const shared = resolve(own, read(join(own, 'commondir')).trim())
  const head = read(join(own, 'HEAD'))
  const branch = /^ref: (\S+)/.exec(head)?.[1]
  const commit =
    branch === undefined
      ? head
      : read(join(shared, branch)) || packed(read(join(shared, 'packed-refs')), branch)
  return /^[\da-f]{7}(?=[\da-f]{33})/.exec(commit)?.[0]
}

function packed(list: string, branch: string): string {
  return list.split('\n').find((line) => line.endsWith(` ${branch}`)) ?? ''
}

/** Empty if there is no such file, or it can't be read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
