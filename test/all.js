// `npm test`: all checks and all tests, on a fresh clone too. `npm test -- <file or folder> …` runs these only,
// `--changed` the tests of changed files, `--long` what takes minutes (`npm run test:long`).
import { existsSync, rmSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from '../bin/install.js'
import { spawnKept } from '../bin/kept.js'
import { InstallError } from '../bin/npm.js'
import { findRuntime } from '../bin/runtime.js'
import { onStopSignal } from '../bin/stop-signals.js'
import { makeRunFolder } from './support/run-folder.js'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
// Tests start many processes: compiling the same code again took most of their time.
const COMPILED = join(ROOT, 'node_modules', '.cache', 'florin-compiled')
const STOP_LIMIT_MS = 10_000

try {
  await ensureInstalled({ dev: true })
  const runtime = await findRuntime()
  const folder = makeRunFolder()
  try {
    process.exitCode = await run(runtime, folder)
  } finally {
    await removeFolder(folder)
  }
} catch (error) {
  if (!(error instanceof InstallError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = error.exitCode
}

/**
 * @param {string} runtime
 * @param {string} folder
 * @returns {Promise<number>}
 */
function run(runtime, folder) {
  return new Promise((settle, reject) => {
    const child = spawnKept(runtime, [join(ROOT, 'test', 'runner', 'run.ts'), ...process.argv.slice(2)], {
      signal: 'TERM',
      env: {
        ...process.env,
        FLORIN_TEST_FOLDER: join(folder, 'data'),
        TMPDIR: join(folder, 'tmp'),
        NODE_COMPILE_CACHE: COMPILED,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    let code = 0
    const letGo = onStopSignal((signal) => {
      code = 128 + constants.signals[signal]
      child.kill('SIGTERM')
    })
    child.on('error', reject)
    child.on('close', (ended) => {
      letGo()
      settle(code === 0 ? (ended ?? 1) : code)
    })
  })
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
