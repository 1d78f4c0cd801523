import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { FileResult } from './file-results.ts'
import type { Order, Report } from './worker.ts'

// The parent's side of a worker.

export type Limits = {
  /** A worker that holds more is replaced. */
  readonly memoryBytes: number
  /** How long a file's sockets and processes may take to close. */
  readonly leftoverWaitMs: number
  /** A file hangs when its worker reports nothing for this long. */
  readonly silenceMs: number
}

export type Ended = FileResult & {
  readonly file: string
  readonly ms: number
  /** What the worker printed while it ran the file. */
  readonly printed: string
}

export type WorkerProcess = {
  run(file: string): Promise<Ended>
  /** Whether another file may run here. */
  isUsable(): boolean
  /** Resolves with errors that came after the last file. */
  end(): Promise<readonly string[]>
  kill(): void
}

export type WorkerOptions = {
  readonly limits: Limits
  /** For Node, such as --test-name-pattern. */
  readonly nodeArguments?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const program = fileURLToPath(new URL('worker.ts', import.meta.url))
const reporter = new URL('file-results.ts', import.meta.url).href
const endWithinMs = 30_000

export function startWorker({ limits, nodeArguments = [], environment }: WorkerOptions): WorkerProcess {
  const child = fork(program, {
    execArgv: [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', ...nodeArguments],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true, // a group, with everything the tests start
  })
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const kill = (): void => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    process.kill(-child.pid, 'SIGKILL')
  }
  const late: string[] = []
  let printed = ''
  let isUsable = true
  let isFull = false
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding('utf8').on('data', (text: string) => (printed += text))

  async function run(file: string): Promise<Ended> {
    const result = Promise.withResolvers<Ended>()
    const began = performance.now()
    let test = ''
    const failed = (error: string): Ended => ({
      file,
      ms: performance.now() - began,
      printed,
      passed: 0,
      skipped: 0,
      notes: [],
      failures: [{ title: test, error }],
    })
    const watch = setTimeout(() => {
      result.resolve(failed(`Nothing happened for ${limits.silenceMs / 1000} s, so it was stopped.`))
      isUsable = false
      kill()
    }, limits.silenceMs)
    const hear = (report: Report): void => {
      watch.refresh()
      if (report.kind === 'test') test = report.name
      if (report.kind !== 'file') return
      const problems = report.problems.map((error) => ({ title: '', error }))
      const failures = [...report.result.failures, ...problems]
      isUsable = problems.length === 0
      isFull = report.memoryBytes > limits.memoryBytes
      result.resolve({ ...report.result, failures, file, ms: report.ms, printed })
    }
    printed = ''
    child.on('message', hear)
    child.send({ file, leftoverWaitMs: limits.leftoverWaitMs } satisfies Order)
    const died = exit.then(([code, signal]) =>
      failed(`The process ended (${signal ?? `code ${code}`}) before the file did.`),
    )
    const ended = await Promise.race([result.promise, died])
    clearTimeout(watch)
    child.off('message', hear)
    if (child.exitCode !== null || child.signalCode !== null) isUsable = false
    return ended
  }

  async function end(): Promise<readonly string[]> {
    child.on('message', (report: Report) => void (report.kind === 'late' && late.push(...report.problems)))
    // What a file left behind would keep it alive.
    if (isUsable && child.connected) child.send({} satisfies Order)
    else kill()
    const timer = setTimeout(kill, endWithinMs)
    await exit
    clearTimeout(timer)
    return late
  }

  return { run, isUsable: () => isUsable && !isFull, end, kill }
}
