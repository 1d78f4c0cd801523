// `npm test`: all checks and all tests, on a fresh clone too. `npm test -- <file or folder> …` runs these only.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../bin/install.js'
import { InstallError } from '../bin/npm.js'
import { findRuntime } from '../bin/runtime.js'
import { onStopSignal } from '../bin/stop-signals.js'
import { makeRunFolder } from './support/run-folder.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
// Every test file is a process, and many start more: compiling the same code again took most of their time.
const COMPILED = join(ROOT, 'node_modules', '.cache', 'florin-compiled')
const TEST_FOLDERS = ['src', 'test', 'faults', 'bench', 'mutants', 'cluster']
// More than there are cores: of three a fifth of the time was spent waiting.
const FILES_AT_ONCE = 4
// Ends what hangs, and no test that a busy machine makes slow.
const TEST_LIMIT_MS = 600_000
const STOP_LIMIT_MS = 10_000

const files = process.argv.slice(2).map((file) => resolve(file))
let runtime = ''
try {
  await ensureInstalled({ dev: true })
  runtime = await findRuntime()
  const counts = [...(files.length > 0 ? [] : await runChecks()), await runTests(files)]
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof InstallError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = error.exitCode
}

/** @typedef {{ passed: number, failed: number, files?: number }} Count */

/** @returns {Promise<Count[]>} */
async function runChecks() {
  /** @type {[string, string[]][]} */
  const checks = [
    ['Types', ['node_modules/typescript/bin/tsc', '-p', '.']],
    ['Lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
    ['Format', ['node_modules/oxfmt/bin/oxfmt', '--check']],
  ]
  const counts = []
  for (const [name, args] of checks) {
    const started = Date.now()
    const { code, output } = await run(args, 'pipe')
    if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`)
    tell(name, code === 0, started)
    counts.push({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 })
  }
  return counts
}

/**
 * @param {string[]} chosen
 * @returns {Promise<Count>}
 */
async function runTests(chosen) {
  const started = Date.now()
  const folder = makeRunFolder()
  const totals = join(folder, 'totals.json')
  const args = ['--test', `--test-concurrency=${FILES_AT_ONCE}`, `--test-timeout=${TEST_LIMIT_MS}`]
  args.push('--import=./test/support/end-of-file.ts', '--test-global-setup=test/support/global-setup.ts')
  args.push('--test-reporter=./test/support/reporter.ts', '--test-reporter-destination=stdout')
  args.push('--test-reporter=./test/support/count.ts', `--test-reporter-destination=${totals}`)
  try {
    const wanted = chosen.length > 0 ? [...new Set(chosen.flatMap(filesOf))] : testFiles()
    const { code } = await run([...args, ...wanted], 'inherit', {
      FLORIN_TEST_FOLDER: join(folder, 'data'),
      TMPDIR: join(folder, 'tmp'),
    })
    const count = readTotals(totals)
    if (count.passed + count.failed === 0) process.stdout.write('No test ran.\n')
    // A file whose end nobody heard of may have failed.
    const silent = wanted.length - (count.files ?? 0)
    if (silent > 0) process.stdout.write(`${silent} of ${wanted.length} files did not tell how they ended.\n`)
    const ok = code === 0 && count.failed === 0 && count.passed > 0 && silent === 0
    tell('Tests', ok, started)
    return ok ? count : { passed: count.passed, failed: Math.max(count.failed, 1) }
  } finally {
    await removeFolder(folder)
  }
}

/**
 * The run's PostgreSQL stops when the run ends, a moment later.
 * @param {string} folder
 */
async function removeFolder(folder) {
  const deadline = Date.now() + STOP_LIMIT_MS
  while (existsSync(join(folder, 'data', 'postgres', 'postmaster.pid')) && Date.now() < deadline) {
    await new Promise((settle) => setTimeout(settle, 20))
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/**
 * @param {string} path
 * @returns {Count}
 */
function readTotals(path) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return text === '' ? { passed: 0, failed: 0 } : JSON.parse(text)
}

function testFiles() {
  return TEST_FOLDERS.map((folder) => join(ROOT, folder))
    .filter((folder) => existsSync(folder))
    .flatMap(filesOf)
}

/**
 * A file, or all test files of a folder.
 * @param {string} path
 */
function filesOf(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(path, file))
    .toSorted()
}

/**
 * @param {string} name
 * @param {boolean} ok
 * @param {number} started
 */
function tell(name, ok, started) {
  process.stdout.write(
    `${name}: ${ok ? 'ok' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s\n`,
  )
}

/**
 * @param {string[]} args
 * @param {'pipe' | 'inherit'} output
 * @param {Record<string, string>} [environment]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(args, output, environment = {}) {
  return new Promise((settle, reject) => {
    const child = spawn(runtime, args, {
      cwd: ROOT,
      env: { ...process.env, ...environment, NODE_COMPILE_CACHE: COMPILED },
      stdio: ['ignore', output, output],
      detached: true, // a group, with all that the tests start
    })
    /** @type {InstallError | undefined} */
    let stopped
    // Node's test runner leaves the processes of its files behind when it is told to stop.
    const letGo = onStopSignal((signal) => {
      stopped ??= Object.assign(new InstallError('Stopped.'), { exitCode: 128 + constants.signals[signal] })
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    })
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (part) => (text += part))
    child.stderr?.setEncoding('utf8').on('data', (part) => (text += part))
    child.on('error', reject)
    child.on('close', (code) => {
      letGo()
      if (stopped === undefined) settle({ code, output: text })
      else reject(stopped)
    })
  })
}
