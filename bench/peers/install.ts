import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { runNpm } from '../../bin/npm.js'

// The folder of a peer: a few files that are written here, and what npm puts beside them.

const run = promisify(execFile)

export type App = {
  readonly dependencies: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
}

export function folderOf(name: string, within = join(tmpdir(), 'florin-peers')): string {
  return join(resolve(within), name)
}

/** Packages that are there already are kept. */
export async function installApp(
  folder: string,
  { dependencies, overrides = {}, files }: App,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const about = `${JSON.stringify({ private: true, dependencies, overrides }, undefined, 2)}\n`
  const file = join(folder, 'package.json')
  if (existsSync(listOf(folder)) && existsSync(file) && readFileSync(file, 'utf8') === about) return
  writeFileSync(file, about)
  // Without the packages' own scripts: some fetch programs from elsewhere, and none is needed to serve.
  const args = ['install', '--no-package-lock', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund']
  const { ok, output } = await runNpm(args, folder)
  if (!ok) throw new Error(`npm could not install ${folder}:\n${output}`)
}

/** Those that a production install has. */
export function countPackages(folder: string): number {
  const { packages } = JSON.parse(readFileSync(listOf(folder), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  return Object.values(packages).filter(({ dev }) => dev !== true).length
}

/** npm's own list of what it installed. */
function listOf(folder: string): string {
  return join(folder, 'node_modules', '.package-lock.json')
}

/** Runs a program of the peer to its end, in its folder. */
export async function runIn(
  folder: string,
  args: readonly string[],
  env: NodeJS.Dict<string>,
): Promise<void> {
  await run(process.execPath, [...args], { cwd: folder, env, maxBuffer: 1 << 28 })
}
