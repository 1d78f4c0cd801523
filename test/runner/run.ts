import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStatusLine } from '../../bin/status-line.js'
import { globalSetup, globalTeardown } from '../support/global-setup.ts'
import { runChecks } from './checks.ts'
import { chooseFiles, hasOwnProcess, isLong, WrongArguments, type Choice } from './choose-files.ts'
import { longestFirst, readDurations, writeDurations } from './durations.ts'
import { openReport } from './report.ts'
import { runByName } from './run-by-name.ts'
import { runFiles } from './run-files.ts'

// `npm test` and `npm run test:long`, on the Node that npm brought (test/all.js starts it).

const root = fileURLToPath(new URL('../../', import.meta.url))
const store = join(root, 'node_modules', '.cache', 'florin-test-durations.json')
// More than there are cores: with three a fifth of the time was spent waiting. The long tests wait for processes that they
// start and kill: with four workers a fifth of their time.
const workers = 4
const longWorkers = 6
const manyFiles = 20
const statusEverySeconds = 15

process.exitCode = await main()

async function main(): Promise<number> {
  try {
    const choice = chooseFiles(root, process.argv.slice(2))
    if (choice.namePattern !== undefined) return await runNamed(choice.files, choice.namePattern)
    if (choice.files.length > 0) return await run(choice)
    process.stdout.write('No file was changed that has tests of its own.\n')
    return 0
  } catch (error) {
    if (!(error instanceof WrongArguments)) throw error
    process.stderr.write(`${error.message}\n`)
    return 64
  }
}

async function runNamed(files: readonly string[], pattern: string): Promise<number> {
  try {
    await globalSetup()
    return (await runByName(files, pattern)) ? 0 : 1
  } finally {
    await globalTeardown()
  }
}

async function run({ files, isWhole }: Choice): Promise<number> {
  const status = openStatusLine({ everySeconds: statusEverySeconds, showsSeconds: false })
  const report = openReport(status, root, files.length)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const durations = readDurations(store)
  const checking = isWhole ? runChecks(root, report.check) : undefined
  try {
    await Promise.all([globalSetup(), files.length > manyFiles ? compile() : undefined])
    await runFiles(longestFirst(files, durations), {
      workers: files.every(isLong) ? longWorkers : workers,
      hasOwnProcess,
      onStart: report.start,
      onEnd(ended) {
        durations.set(ended.file, ended.ms)
        report.end(ended)
      },
      stopping: stopping.signal,
    })
    await checking
    writeDurations(store, durations)
    return report.close() ? 0 : 1
  } finally {
    status.end()
    await globalTeardown()
  }
}

/** Once for all: in a fresh clone each worker would compile Florin for itself, which takes 2 s of processor time. */
async function compile(): Promise<void> {
  await import('../support/in-browser.ts')
  flushCompileCache()
}
