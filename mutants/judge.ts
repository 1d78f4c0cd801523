import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasOwnProcess } from '../test/runner/choose-files.ts'
import { WorkerProcess } from '../test/runner/worker-process.ts'
import type { Mutant } from './operators.ts'
import type { TestRun } from './touched.ts'

// Runs the tests that judge a bug in one process, one file after the other, until one fails.

const root = fileURLToPath(new URL('../', import.meta.url))
/** A bug may make a test wait for something that never comes. */
const limits = { memoryBytes: 800e6, leftoverWaitMs: 10_000, silenceMs: 30_000 }

/** Whether a test fails because of the bug. */
export async function isCaught(mutant: Mutant, judges: readonly TestRun[], cache: string): Promise<boolean> {
  const failed = await firstToFail(mutant, judges, cache)
  if (failed === undefined) return false
  // A busy machine may fail a flow once; a test that notices a bug notices it again. A claim about one file doesn't depend on the machine.
  const isCertain = dirname(failed.judge.file) === dirname(mutant.path) && failed.isAssertion
  return isCertain || (await firstToFail(mutant, [failed.judge], cache)) !== undefined
}

type Failed = { readonly judge: TestRun; readonly isAssertion: boolean }

async function firstToFail(
  mutant: Mutant,
  judges: readonly TestRun[],
  cache: string,
): Promise<Failed | undefined> {
  let shared: WorkerProcess | undefined
  const start = (): WorkerProcess =>
    new WorkerProcess({
      limits,
      stopsAtFailure: true,
      environment: {
        FLORIN_MUTANT: JSON.stringify(mutant),
        NODE_OPTIONS: `--import=${new URL('plant.js', import.meta.url).href}`,
        // Node keeps compiled code by its text, so a planted bug is never taken for the file it stands in.
        NODE_COMPILE_CACHE: cache,
      },
    })
  try {
    for (const judge of judges) {
      const file = join(root, judge.file)
      const isOwn = hasOwnProcess(file)
      const worker = isOwn ? start() : (shared ??= start())
      const {
        failures: [failure],
      } = await worker.run(file)
      if (isOwn || !worker.isUsable) worker.kill()
      if (!worker.isUsable) shared = undefined
      if (failure !== undefined) return { judge, isAssertion: failure.error.startsWith('AssertionError') }
    }
    return undefined
  } finally {
    shared?.kill()
  }
}
