// Runs before anything is installed, on any Node from 20 on: nothing here may need node_modules.
import { accessSync, constants as modes, mkdirSync, rmSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { basename, join } from 'node:path'
import { spawnKept } from './kept.js'
import { onStopSignal } from './stop-signals.js'

export class InstallError extends Error {
  exitCode = 1
}

/**
 * npm's own lines, among them a warning per package that this older Node only starts the newer one, are kept back
 * unless it fails.
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function runNpm(args, cwd) {
  if (hasUsableCache()) return spawnNpm(args, cwd, process.env)
  // npm gives up where it can't keep what it fetches: a service's user often has a home that can't be written.
  const cache = join(cwd, 'node_modules', '.cache', 'npm')
  try {
    return await spawnNpm(args, cwd, { ...process.env, npm_config_cache: cache })
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

function hasUsableCache() {
  try {
    // npm tells the programs it starts where it keeps things.
    const cache = process.env['npm_config_cache'] ?? join(homedir(), '.npm')
    mkdirSync(cache, { recursive: true })
    accessSync(cache, modes.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
function spawnNpm(args, cwd, env) {
  const running = process.env['npm_execpath'] ?? ''
  const [command, first] = basename(running).startsWith('npm-cli')
    ? [process.execPath, [running]]
    : ['npm', []]
  return new Promise((resolve, reject) => {
    const npm = spawnKept(command, [...first, ...args], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: 'KILL',
    })
    let output = ''
    npm.stdout?.setEncoding('utf8').on('data', (text) => (output += text))
    npm.stderr?.setEncoding('utf8').on('data', (text) => (output += text))
    /** @type {number | undefined} */
    let stopped
    const letGo = onStopSignal((signal) => {
      stopped ??= 128 + constants.signals[signal]
      // npm takes seconds to end by itself. What it leaves half unpacked is taken away by the next start.
      npm.kill('SIGKILL')
    })
    npm.on('error', (error) => {
      reject(
        new InstallError(
          `npm could not be started (${error.message}). Install Node with npm, then start again.`,
        ),
      )
    })
    npm.on('close', (code, signal) => {
      letGo()
      if (signal !== null) output += `npm was ended by ${signal}\n`
      if (stopped === undefined) return resolve({ ok: code === 0, output })
      // Somebody pressed Ctrl-C, so npm's complaint about its end is nobody's fault.
      const error = new InstallError('Stopped. Run it again to continue.')
      error.exitCode = stopped
      reject(error)
    })
  })
}
