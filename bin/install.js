// Runs before anything is installed, on any Node from 20 on: nothing here may need node_modules.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeInstallProgress } from './install-progress.js'
import { takeLock } from './lock.js'
import { InstallError, runNpm } from './npm.js'
import { registryOf, whyUnreachable } from './registry.js'
import { openStatusLine } from './status-line.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const STAMP = join(MODULES, '.florin-installed')
const LOCK = join(ROOT, '.florin-installing')
const PLATFORM = `${process.platform}-${process.arch}`

/**
 * Brings the packages of the lockfile, once; does nothing when they are there.
 * @param {{ dev: boolean }} options
 * @returns {Promise<void>}
 */
export async function ensureInstalled({ dev }) {
  if (isStamped(dev)) return
  if (hasPackages(dev)) return stamp(dev)
  const release = await takeLock(LOCK, () =>
    process.stderr.write('Another process is already installing packages, waiting …\n'),
  )
  try {
    // Another process may have done the work meanwhile.
    if (isStamped(dev)) return
    await install(dev)
    stamp(dev)
  } finally {
    release()
  }
}

/** @param {'dev' | 'prod'} kind */
function stampText(kind) {
  const lockfile = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex')
  return `${lockfile} ${kind} ${PLATFORM}\n`
}

/** @param {boolean} dev */
function isStamped(dev) {
  if (!existsSync(STAMP)) return false
  const found = readFileSync(STAMP, 'utf8')
  return found === stampText('dev') || (!dev && found === stampText('prod'))
}

/** @param {boolean} dev */
function stamp(dev) {
  try {
    writeFileSync(STAMP, stampText(dev || hasPackages(true) ? 'dev' : 'prod'))
  } catch {
    // An image built with `npm ci` may be read-only: the packages are there, only the shortcut is not.
  }
}

/** @param {boolean} dev */
function hasPackages(dev) {
  return existsSync(join(MODULES, '.package-lock.json')) && missingPackages(dev).length === 0
}

/**
 * What the lockfile names and npm has not put here, in that version, by us, by hand or in an image: installing again
 * for nothing would change the packages under everyone who works in this folder.
 * @param {boolean} dev
 */
function missingPackages(dev) {
  const wanted = readPackages(join(ROOT, 'package-lock.json'))
  const written = join(MODULES, '.package-lock.json')
  const found = existsSync(written) ? readPackages(written) : {}
  return Object.keys(wanted).filter((path) => {
    const entry = wanted[path] ?? {}
    if (path === '') return false
    // A start does without what is for tests, of whatever version: installing would take it away from them.
    if (!dev && (entry.dev === true || entry.devOptional === true)) return false
    if (found[path] !== undefined) return found[path].version !== entry.version
    return !(entry.optional === true && !isForThisMachine(entry))
  })
}

/**
 * @typedef {{ version?: string, dev?: boolean, devOptional?: boolean, optional?: boolean, os?: string | string[], cpu?: string | string[],
 *   libc?: string | string[] }} LockedPackage
 */

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages
}

/** @param {LockedPackage} entry */
function isForThisMachine(entry) {
  const onThisSystem = entry.os === undefined || [entry.os].flat().includes(process.platform)
  const onThisProcessor = entry.cpu === undefined || [entry.cpu].flat().includes(process.arch)
  return onThisSystem && onThisProcessor && entry.libc === undefined
}

/** @param {boolean} dev */
async function install(dev) {
  // Not `npm ci`, though it works as well: it deletes every package first, under a server that runs from this folder
  // while its tests install. --no-save takes versions and checksums from the lockfile and leaves it alone.
  // No scripts: the only one makes links that src/platform/postgres/embedded-binaries.ts makes too, and it would run on the Node
  // that is being installed; where that one does not start, npm silently leaves its package out.
  const args = [
    'install',
    '--no-save',
    '--ignore-scripts',
    dev ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
  ]
  // npm takes the half-unpacked package of an install that was killed for a whole one, and Florin would never start.
  // It writes down what it has put here at its end, so what is not written down goes.
  for (const path of missingPackages(dev)) rmSync(join(ROOT, path), { recursive: true, force: true })
  const started = Date.now()
  const text = dev ? 'Installing packages for tests, once' : 'Installing packages, once'
  const progress = makeInstallProgress(ROOT, wantedPackages(dev))
  const status = openStatusLine({ results: process.stderr })
  status.show(() => `${text}: ${progress()}`)
  const registry = registryOf(ROOT)
  /** @type {string | undefined} */
  let unreachable
  let isOver = false
  const nameRegistry = async () => {
    unreachable = await whyUnreachable(registry)
    if (unreachable !== undefined && !isOver)
      status.print(
        `The registry ${registry} can't be reached (${unreachable}). npm keeps trying; press Ctrl-C to stop.\n`,
      )
  }
  void nameRegistry()
  const result = await runNpm(args, ROOT).finally(() => {
    isOver = true
    status.end()
  })
  // npm calls it a success when a package of this very platform could not be fetched, since those are optional.
  const missing = result.ok ? missingPackages(dev) : []
  if (result.ok && missing.length === 0) {
    process.stderr.write(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s\n`)
    return
  }
  process.stderr.write(result.output)
  if (unreachable !== undefined)
    throw new InstallError(
      `The registry ${registry} can't be reached (${unreachable}). Check the network or a proxy, then start again.`,
    )
  throw new InstallError(
    missing.length > 0
      ? `npm left out ${missing.join(', ')}. Check the network, then start again.`
      : 'npm could not install the packages; see the message above. Fix that, then start again.',
  )
}

/**
 * What npm is about to bring.
 * @param {boolean} dev
 */
function wantedPackages(dev) {
  const locked = readPackages(join(ROOT, 'package-lock.json'))
  return missingPackages(dev).map((path) => ({
    path,
    id: `${path.replace(/^.*node_modules\//, '')}@${locked[path]?.version}`,
  }))
}
