import { flushCompileCache } from 'node:module'
import { suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { hasOwnProcess } from './choose-files.ts'
import { listenForFiles, type Failure, type FileResult } from './file-results.ts'
import { closeKept, keepInThisProcess } from './keep.ts'
import { leftSince, readState } from './leftovers.ts'
import { hashQuickly } from './quick-argon2.ts'

// A process that runs test files, one after the other, each inside a suite of its own so that its hooks are its own.
// Importing Florin's modules took more than half of a file's processor time when every file had a process.

/** From the parent: run a file, or, without one, end. */
export type Order = { readonly file?: string; readonly leftoverWaitMs?: number }

/** To the parent: a test starts, a test failed, a file has ended, or errors came after the last one. */
export type Report =
  | { readonly kind: 'test'; readonly name: string }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | FileReport
  | { readonly kind: 'late'; readonly problems: readonly string[] }

export type FileReport = {
  readonly kind: 'file'
  readonly result: FileResult
  readonly ms: number
  /** What the file left behind, and errors that came after their test had ended. */
  readonly problems: readonly string[]
  readonly memoryBytes: number
}

const leftoverPollMs = 5

let fileEnd = Promise.withResolvers<FileResult>()
const uncaught: string[] = []

keepInThisProcess()
listenForFiles({
  onTest: (name) => report({ kind: 'test', name }),
  onFailure: (failure) => report({ kind: 'failure', failure }),
  onFile: (result) => fileEnd.resolve(result),
})
// node:test fails the test that an error belongs to, but only notes it once that test has ended.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => uncaught.push(inspect(error, { depth: 4 })))
// The run was killed.
process.on('disconnect', () => process.exit(1))
// With its first suite node:test adds listeners of its own.
suite('', () => {})
await fileEnd.promise
process.on('message', ({ file, leftoverWaitMs = 0 }: Order) => {
  void (file === undefined ? end() : run(file, leftoverWaitMs))
})

async function run(file: string, leftoverWaitMs: number): Promise<void> {
  if (!hasOwnProcess(file)) hashQuickly()
  const before = readState()
  const began = performance.now()
  fileEnd = Promise.withResolvers<FileResult>()
  suite(file, async () => import(pathToFileURL(file).href) as Promise<void>)
  const result = await fileEnd.promise
  const ms = performance.now() - began
  // Node writes down what it compiled when a process ends. The processes that tests start need it now.
  flushCompileCache()
  const left = await findLeftovers(before, leftoverWaitMs)
  const late = result.failures.length > 0 ? [] : uncaught.map(describeLate)
  uncaught.length = 0
  const problems = [...late, ...left.map((one) => `Left behind: ${one}`)]
  report({ kind: 'file', result, ms, problems, memoryBytes: process.memoryUsage.rss() })
}

/** Sockets and processes take a moment to go, longer on a busy machine. */
async function findLeftovers(before: ReturnType<typeof readState>, waitMs: number): Promise<string[]> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const isLast = performance.now() > deadline
    const left = leftSince(before)
    if (left.length === 0 || isLast) return left
    await pause(leftoverPollMs)
  }
}

function describeLate(error: string): string {
  return `An error came after its test had ended: ${error}`
}

async function end(): Promise<void> {
  await closeKept()
  const late = { kind: 'late', problems: uncaught.map(describeLate) } satisfies Report
  // The process ends once nothing is open.
  process.send?.(late, () => process.disconnect?.())
}

function report(what: Report): void {
  process.send?.(what)
}
