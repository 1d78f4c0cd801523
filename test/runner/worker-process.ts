import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Failure, FileResult } from './file-results.ts'
import type { FileReport, Order, Report } from './worker.ts'

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

export type WorkerOptions = {
  readonly limits: Limits
  /** For Node, such as --import. */
  readonly nodeArguments?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** A file ends with its first failure, and so does the worker. */
  readonly stopsAtFailure?: boolean
}

const program = fileURLToPath(new URL('worker.ts', import.meta.url))
const reporter = new URL('file-results.ts', import.meta.url).href
const endWithinMs = 30_000
const nothing = { passed: 0, skipped: 0, notes: [] }

export class WorkerProcess {
  readonly #limits: Limits
  readonly #stopsAtFailure: boolean
  readonly #child: ChildProcess
  readonly #exit: Promise<[number | null, NodeJS.Signals | null]>
  #printed = ''
  #isBroken = false
  #isFull = false

  constructor({ limits, nodeArguments = [], environment, stopsAtFailure = false }: WorkerOptions) {
    this.#limits = limits
    this.#stopsAtFailure = stopsAtFailure
    this.#child = fork(program, {
      execArgv: [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', ...nodeArguments],
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true, // a group, with everything the tests start
    })
    this.#exit = once(this.#child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.setEncoding('utf8').on('data', (text: string) => (this.#printed += text))
  }

  /** Whether another file may run here. */
  get isUsable(): boolean {
    return !this.#isBroken && !this.#isFull
  }

  async run(file: string): Promise<Ended> {
    const result = Promise.withResolvers<Ended>()
    const began = performance.now()
    let test = ''
    const stop = (failure: Failure): void => {
      this.#isBroken = true
      const ended = { file, ms: performance.now() - began, printed: this.#printed }
      result.resolve({ ...ended, ...nothing, failures: [failure] })
    }
    const fail = (error: string): void => stop({ title: test, error })
    const watch = setTimeout(() => {
      fail(`Nothing happened for ${this.#limits.silenceMs / 1000} s, so it was stopped.`)
      this.kill()
    }, this.#limits.silenceMs)
    const hear = (report: Report): void => {
      watch.refresh()
      if (report.kind === 'test') test = report.name
      if (report.kind === 'failure' && this.#stopsAtFailure) stop(report.failure)
      if (report.kind === 'file') result.resolve(this.#readResult(file, report))
    }
    void this.#exit.then(([code, signal]) =>
      fail(`The process ended (${signal ?? `code ${code}`}) before the file did.`),
    )
    this.#printed = ''
    this.#child.on('message', hear)
    this.#child.send({ file, leftoverWaitMs: this.#limits.leftoverWaitMs } satisfies Order)
    const ended = await result.promise
    clearTimeout(watch)
    this.#child.off('message', hear)
    return ended
  }

  #readResult(file: string, { result, ms, problems, memoryBytes }: FileReport): Ended {
    this.#isBroken = problems.length > 0
    this.#isFull = memoryBytes > this.#limits.memoryBytes
    const failures = [...result.failures, ...problems.map((error) => ({ title: '', error }))]
    return { ...result, failures, file, ms, printed: this.#printed }
  }

  /** Resolves with errors that came after the last file. */
  async end(): Promise<readonly string[]> {
    const late: string[] = []
    this.#child.on('message', (report: Report) => {
      if (report.kind === 'late') late.push(...report.problems)
    })
    // What a file left behind would keep it alive.
    if (this.#isBroken || !this.#child.connected) this.kill()
    else this.#child.send({} satisfies Order)
    const timer = setTimeout(() => this.kill(), endWithinMs)
    await this.#exit
    clearTimeout(timer)
    return late
  }

  kill(): void {
    const { pid, exitCode, signalCode } = this.#child
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
}
