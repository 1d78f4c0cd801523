import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeRunFolder } from '../test/support/run-folder.js'
import { createTemplate, testEnvironment } from './databases.ts'
import { findCitus, waysToGetCitus } from './find-citus.ts'
import { allParts, choose, readMinutes, UnknownPart, type Choice, type Part } from './parts.ts'
import { printDone, runPart, type Done } from './run-files.ts'
import { startCluster } from './start-cluster.ts'

// npm run cluster [-- --only flows,stores] [--from test/flows/x.test.ts] [--minutes 30] [file …]: nodes that are lost, backups and
// merchants that move; then Florin's own tests on a coordinator and two nodes of Citus, with a spread database of its own for each
// file. Ends after half an hour by its own clock, and says with which file to go on. Prints a table at its end, also when it is
// stopped.

const root = fileURLToPath(new URL('..', import.meta.url))

process.exitCode = await main()

async function main(): Promise<number> {
  const programs = findCitus()
  if (programs === undefined) return refuse(waysToGetCitus, 69)
  try {
    const { minutes, ...choice } = readChoice()
    return await runParts(programs, choose(allParts(root), choice), minutes)
  } catch (error) {
    const isMistake =
      error instanceof UnknownPart || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
    if (isMistake !== true) throw error
    return refuse((error as Error).message, 64)
  }
}

function readChoice(): Choice & { readonly minutes: number } {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string' }, from: { type: 'string' }, minutes: { type: 'string' } },
    allowPositionals: true,
  })
  return {
    minutes: readMinutes(values.minutes),
    files: positionals,
    ...(values.only !== undefined && { only: values.only.split(',').map((name) => name.trim()) }),
    ...(values.from !== undefined && { from: values.from }),
  }
}

function refuse(sentence: string, code: number): number {
  process.stderr.write(`${sentence}\n`)
  return code
}

async function runParts(programs: string, parts: readonly Part[], minutes: number): Promise<number> {
  const untilMs = Date.now() + minutes * 60_000
  // As in `npm test`: in memory where there is room, and nothing is compiled twice.
  const folder = makeRunFolder()
  process.env['TMPDIR'] = join(folder, 'tmp')
  const ofTests = {
    // The folder of clusters that tests start themselves.
    FLORIN_TEST_FOLDER: join(folder, 'data'),
    FLORIN_SHOW_ROUTES: 'on',
    NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'florin-compiled'),
  }
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const cluster = await startCluster(programs)
  const done: Done[] = []
  try {
    process.stdout.write(`Citus ${cluster.version} from ${programs}, a coordinator and two nodes\n`)
    await createTemplate(cluster)
    for (const part of parts) {
      if (stopping.signal.aborted) break
      const environment = { ...testEnvironment(cluster), ...ofTests }
      done.push(await runPart(root, part, environment, { stopping: stopping.signal, untilMs }))
    }
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  printDone(done)
  const [next] = done.flatMap(({ left }) => left)
  if (next !== undefined)
    process.stdout.write(`\n${minutes} minutes are over. Go on with: npm run cluster -- --from ${next}\n`)
  return done.every(({ failed }) => failed === 0) && !stopping.signal.aborted ? 0 : 1
}
